/**
 * Runs commands in a Docker container: attached to a running one, or in one that Paddock manages.
 */
module dev.paddock.executor.docker {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires dev.paddock.executor.sandbox;
    requires transitive dev.paddock.executor.remote;
    // docker-java's modules are automatic, and so do not require the modules that they call.
    requires com.fasterxml.jackson.databind;
    requires com.google.common;
    requires com.github.dockerjava.api;
    requires com.github.dockerjava.core;
    requires com.github.dockerjava.transport;
    requires org.apache.commons.io;
    requires org.apache.commons.lang3;
    requires org.slf4j;
    requires static transitive org.jspecify;

    opens dev.paddock.executor.docker.container to
            com.fasterxml.jackson.databind;

    exports dev.paddock.executor.docker;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.docker.DockerProvider;
}
