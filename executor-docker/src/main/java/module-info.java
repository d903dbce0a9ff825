/** Commands in a container: attached to one that runs, or managing one of its own. */
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
