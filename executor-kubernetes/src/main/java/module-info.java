/** Runs commands in a Kubernetes pod: attached to a running one, or in one that Paddock manages. */
module dev.paddock.executor.kubernetes {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires dev.paddock.executor.sandbox;
    requires transitive dev.paddock.executor.remote;
    // fabric8's modules are automatic, and so do not require the modules that they call.
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires com.fasterxml.jackson.datatype.jsr310;
    requires io.fabric8.kubernetes.client.jdkhttp;
    requires java.net.http;
    requires kubernetes.client;
    requires kubernetes.client.api;
    requires kubernetes.model.common;
    requires kubernetes.model.core;
    requires org.slf4j;
    requires org.snakeyaml.engine;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.kubernetes;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.kubernetes.KubernetesProvider;
}
