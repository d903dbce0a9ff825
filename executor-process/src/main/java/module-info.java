/** Starts, supervises and ends processes with their whole trees. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor.process {
    requires transitive dev.paddock.executor;
    requires org.jnrproject.jffi;
    requires org.jnrproject.posix;
    requires org.apache.commons.exec;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.process;
    exports dev.paddock.executor.process.launch;
    exports dev.paddock.executor.process.supervise;
    exports dev.paddock.executor.process.end to
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox;
    exports dev.paddock.executor.process.file to
            dev.paddock.cli,
            dev.paddock.executor.config,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.ssh,
            dev.paddock.executor.worktree,
            dev.paddock.harness.adk,
            dev.paddock.harness.files,
            dev.paddock.harness.workspace;
    exports dev.paddock.executor.process.io to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh,
            dev.paddock.executor.worktree;
    exports dev.paddock.executor.process.posix to
            dev.paddock.cli,
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.worktree,
            dev.paddock.harness.workspace;
    exports dev.paddock.executor.process.state to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.config,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh,
            dev.paddock.executor.worktree;
    exports dev.paddock.executor.process.table to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.worktree,
            dev.paddock.harness.workspace;
    exports dev.paddock.executor.process.warm to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh;

    provides dev.paddock.executor.path.FileOpener with
            dev.paddock.executor.process.file.ReferenceOpener;
}
