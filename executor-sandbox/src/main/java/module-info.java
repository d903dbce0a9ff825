/** The shared machinery of sandboxes. For Paddock's own executors: its packages may change at any time. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor.sandbox {
    requires transitive dev.paddock.executor;
    requires transitive dev.paddock.executor.network;
    requires transitive dev.paddock.executor.process;
    requires transitive dev.paddock.executor.worktree;
    requires static jdk.jfr;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.sandbox.local;
    exports dev.paddock.executor.sandbox.backend to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.config,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh;
    exports dev.paddock.executor.sandbox.cgroup to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.seatbelt;
    exports dev.paddock.executor.sandbox.policy to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh;
    exports dev.paddock.executor.sandbox.seccomp to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.landlock,
            dev.paddock.executor.seatbelt;
    exports dev.paddock.executor.sandbox.spawn to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh;
}
