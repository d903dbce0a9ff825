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
    exports dev.paddock.executor.tck.subject;

    uses dev.paddock.executor.tck.subject.HostNames;

    provides org.junit.platform.launcher.PostDiscoveryFilter with
            dev.paddock.executor.tck.layer.LayerFilter;

    opens dev.paddock.executor.tck to
            org.junit.platform.commons;
    opens dev.paddock.executor.tck.clauses to
            org.junit.platform.commons;
    opens dev.paddock.executor.tck.conformance to
            org.junit.platform.commons;
    opens dev.paddock.executor.tck.context to
            org.junit.platform.commons;
    opens dev.paddock.executor.tck.escape to
            org.junit.platform.commons;
    opens dev.paddock.executor.tck.guarantees to
            org.junit.platform.commons;
    opens dev.paddock.executor.tck.local to
            org.junit.platform.commons;
    opens dev.paddock.executor.tck.worktree to
            org.junit.platform.commons;
}
