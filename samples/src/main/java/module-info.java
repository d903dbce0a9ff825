/** Small programs to copy from. */
module dev.paddock.samples {
    requires dev.paddock.executor;
    requires dev.paddock.executor.docker;
    requires dev.paddock.executor.host;
    requires transitive dev.paddock.harness;
    requires dev.paddock.harness.bindings;
    requires dev.paddock.harness.guest;
    requires static org.jspecify;
}
