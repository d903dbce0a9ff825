/**
 * Guards worktrees. For Paddock's own executors: its packages may change at any time.
 */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor.worktree {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.worktree to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh;
    exports dev.paddock.executor.worktree.git.config to
            dev.paddock.executor.config;
}
