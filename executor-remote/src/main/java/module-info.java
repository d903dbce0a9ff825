/**
 * The shell protocol by which executors run commands on remote systems that offer only byte
 * streams.
 */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor.remote {
    requires transitive dev.paddock.executor;
    requires transitive dev.paddock.executor.process;
    requires dev.paddock.executor.sandbox;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.remote;
    exports dev.paddock.executor.remote.builder;
    exports dev.paddock.executor.remote.custom;
    exports dev.paddock.executor.remote.command to
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.ssh;
    exports dev.paddock.executor.remote.files to
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.ssh;
    exports dev.paddock.executor.remote.shell to
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.ssh;
}
