/** Keeps workspaces, copies directory trees exactly, and keeps snapshots of them. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.harness.workspace {
    requires transitive dev.paddock.executor;
    requires transitive dev.paddock.harness.files;
    requires transitive dev.paddock.harness.tools;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires dev.paddock.executor.os;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.workspace;
    exports dev.paddock.harness.workspace.directory;
    exports dev.paddock.harness.workspace.owned to
            dev.paddock.cli,
            dev.paddock.harness.bindings,
            dev.paddock.harness.guest;
    exports dev.paddock.harness.workspace.provider;
    exports dev.paddock.harness.workspace.snapshot;

    uses dev.paddock.executor.ExecutorProvider;
}
