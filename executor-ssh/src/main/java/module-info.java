/** Runs commands on a host that ssh reaches. */
module dev.paddock.executor.ssh {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires dev.paddock.executor.sandbox;
    requires transitive dev.paddock.executor.remote;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.ssh;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.ssh.SshProvider;
}
