/** Copies directory trees exactly, and keeps snapshots of them. */
module dev.paddock.harness.workspace {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.workspace;
    exports dev.paddock.harness.workspace.snapshot;
}
