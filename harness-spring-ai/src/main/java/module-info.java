/** A session's tools as tool callbacks of Spring AI, and a sandbox for its agents. */
module dev.paddock.harness.springai {
    requires transitive dev.paddock.harness;
    requires transitive spring.ai.model;
    requires dev.paddock.harness.files;
    requires static agent.sandbox.core;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.springai;
}
