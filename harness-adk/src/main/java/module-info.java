/** Runs the code of agents of Google's Agent Development Kit in a sandbox. */
module dev.paddock.harness.adk {
    requires transitive dev.paddock.executor;
    requires transitive google.adk;
    requires transitive com.google.common;
    requires dev.paddock.executor.os;
    requires dev.paddock.harness.files;
    requires transitive dev.paddock.harness.workspace;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.adk;
}
