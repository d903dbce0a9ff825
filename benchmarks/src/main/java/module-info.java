/** Measures the cost of a command in each executor. */
module dev.paddock.benchmarks {
    requires com.fasterxml.jackson.databind;
    requires dev.paddock.executor;
    requires dev.paddock.executor.bwrap;
    requires dev.paddock.executor.docker;
    requires dev.paddock.executor.host;
    requires dev.paddock.executor.kubernetes;
    requires dev.paddock.executor.landlock;
    requires dev.paddock.executor.process;
    requires dev.paddock.executor.sandbox;
    requires dev.paddock.executor.ssh;
    requires dev.paddock.harness;
    requires dev.paddock.harness.audit;
    requires dev.paddock.harness.bindings;
    requires dev.paddock.harness.guest;
    requires dev.paddock.harness.workspace;
    requires java.management;
    requires jdk.management;
    requires jmh.core;
    requires static org.jspecify;
}
