/** The capabilities that guest code gets: a workspace, commands, variables, secrets, events. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.harness.bindings {
    requires transitive dev.paddock.executor;
    requires transitive dev.paddock.harness.audit;
    requires transitive dev.paddock.harness.files;
    requires transitive dev.paddock.harness.tools;
    requires com.fasterxml.jackson.databind;
    requires dev.paddock.harness.workspace;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.bindings;
    exports dev.paddock.harness.bindings.call to
            dev.paddock.harness.guest;
}
