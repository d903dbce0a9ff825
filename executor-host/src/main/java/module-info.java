/** The executor that runs commands on the host, without a sandbox. */
module dev.paddock.executor.host {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires transitive dev.paddock.executor.sandbox;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.host;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.host.HostProvider;
}
