/**
 * The operating system: calls, descriptors, files that commands can reach, processes. For Paddock's own modules: its
 * packages may change at any time.
 */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor.os {
    requires transitive dev.paddock.executor;
    requires org.jnrproject.jffi;
    requires org.jnrproject.posix;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.os.file to
            dev.paddock.cli,
            dev.paddock.executor.config,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.worktree,
            dev.paddock.harness.adk,
            dev.paddock.harness.files,
            dev.paddock.harness.workspace;
    exports dev.paddock.executor.os.io to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.network,
            dev.paddock.executor.process,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.ssh,
            dev.paddock.executor.worktree;
    exports dev.paddock.executor.os.posix to
            dev.paddock.cli,
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.landlock,
            dev.paddock.executor.network,
            dev.paddock.executor.process,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.worktree,
            dev.paddock.harness.workspace;
    exports dev.paddock.executor.os.state to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.config,
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh,
            dev.paddock.executor.worktree;
    exports dev.paddock.executor.os.stream to
            dev.paddock.executor.process;
    exports dev.paddock.executor.os.table to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.process,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.worktree,
            dev.paddock.harness.workspace;

    provides dev.paddock.executor.path.FileOpener with
            dev.paddock.executor.os.file.ReferenceOpener;
}
