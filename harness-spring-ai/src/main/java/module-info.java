/** A session's tools as tool callbacks of Spring AI. */
module dev.paddock.harness.springai {
    requires transitive dev.paddock.harness;
    requires transitive spring.ai.model;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.springai;
}
