/** Process launch, supervision and clean-up, and the executor that runs commands on the host. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor.host {
    requires transitive dev.paddock.executor;
    requires org.jnrproject.jffi;
    requires org.apache.commons.exec;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.host;
    exports dev.paddock.executor.process;
    exports dev.paddock.executor.confined to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.landlock,
            dev.paddock.executor.seatbelt;
    exports dev.paddock.executor.limits to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.landlock,
            dev.paddock.executor.seatbelt;
    exports dev.paddock.executor.protect to
            dev.paddock.benchmarks,
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.landlock,
            dev.paddock.executor.seatbelt;
    exports dev.paddock.executor.sandbox.policy to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.landlock,
            dev.paddock.executor.seatbelt;
    exports dev.paddock.executor.sandbox.state to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.landlock,
            dev.paddock.executor.seatbelt;
    exports dev.paddock.executor.process.posix to
            dev.paddock.executor.landlock;
    exports dev.paddock.executor.seccomp to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.landlock;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.host.HostProvider;
}
