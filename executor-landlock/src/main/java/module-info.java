/** Runs commands confined by Landlock and seccomp, with nothing to install. */
module dev.paddock.executor.landlock {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires transitive dev.paddock.executor.sandbox;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.landlock;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.landlock.LandlockProvider;
}
