/** The contract of a command executor, as a test suite that an implementer extends. */
module dev.paddock.executor.tck {
    requires transitive dev.paddock.executor;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires transitive org.assertj.core;
    requires awaitility;
    requires org.junit.platform.engine;
    requires org.junit.platform.launcher;
    requires java.management;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.tck;

    opens dev.paddock.executor.tck to
            org.junit.platform.commons;
}
