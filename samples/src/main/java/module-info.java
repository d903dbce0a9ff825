/** Small programs to copy from. */
@SuppressWarnings("module") // the module that it is exported to is built after this one
module dev.paddock.samples {
    requires dev.paddock.executor;
    requires dev.paddock.executor.docker;
    requires dev.paddock.executor.host;
    requires transitive dev.paddock.harness;
    requires static org.jspecify;

    exports dev.paddock.samples to
            dev.paddock.cli;
}
