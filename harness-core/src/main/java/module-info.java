/** The agent session: its loop, events and model port. */
module dev.paddock.harness {
    requires transitive dev.paddock.executor;
    requires transitive dev.paddock.harness.tools;
    requires com.fasterxml.jackson.databind;
    requires dev.paddock.harness.files;
    requires static transitive org.jspecify;

    exports dev.paddock.harness;
    exports dev.paddock.harness.approval;
    exports dev.paddock.harness.events;
    exports dev.paddock.harness.model;

    uses dev.paddock.executor.ExecutorProvider;
}
