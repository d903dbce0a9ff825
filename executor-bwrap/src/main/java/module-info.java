/** Runs commands in bubblewrap sandboxes compiled from a policy. */
module dev.paddock.executor.bwrap {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires transitive dev.paddock.executor.sandbox;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.bwrap;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.bwrap.BwrapProvider;
}
