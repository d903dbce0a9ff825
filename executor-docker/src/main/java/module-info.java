/**
 * Runs commands in a Docker container: attached to a running one, or in one that Paddock manages.
 */
module dev.paddock.executor.docker {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires dev.paddock.executor.sandbox;
    requires dev.paddock.executor.remote;
    requires com.github.dockerjava.api;
    requires com.github.dockerjava.core;
    requires com.github.dockerjava.transport;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.docker;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.docker.DockerProvider;
}
