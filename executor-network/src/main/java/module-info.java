/**
 * Networks of allowed hosts: names, relays, proxies, single ports. For Paddock's own executors: its
 * packages may change at any time.
 */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor.network {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.network to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.landlock,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt;
    exports dev.paddock.executor.network.proxy to
            dev.paddock.executor.sandbox;
}
