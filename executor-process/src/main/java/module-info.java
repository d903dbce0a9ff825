/** Starts, supervises and ends processes with their whole trees. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor.process {
    requires transitive dev.paddock.executor;
    requires transitive dev.paddock.executor.os;
    requires org.apache.commons.exec;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.process;
    exports dev.paddock.executor.process.launch;
    exports dev.paddock.executor.process.supervise;
    exports dev.paddock.executor.process.end to
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox;
    exports dev.paddock.executor.process.warm to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.network,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh;
}
