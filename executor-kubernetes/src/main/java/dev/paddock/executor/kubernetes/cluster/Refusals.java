package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import java.net.HttpURLConnection;

/** Creates the exceptions for processes that the API server refuses to start. */
final class Refusals {
    private Refusals() {}

    static SandboxUnavailableException unreachable(Cluster cluster, Throwable fault) {
        SandboxUnavailableException unavailable = new SandboxUnavailableException(
                Cluster.BACKEND,
                new Availability.Unusable(
                        "the API server at " + cluster.where() + " does not answer: " + Cluster.cause(fault),
                        "Look at the cluster (kubectl cluster-info), or name another context.",
                        true));
        unavailable.initCause(fault);
        return unavailable;
    }

    /**
     * Returns the exception for a refused connection.
     *
     * @param status the HTTP status
     * @param verb {@code exec} or {@code attach}
     */
    static RuntimeException of(Cluster cluster, int status, String verb, PodName pod, Exception cause) {
        if (status != HttpURLConnection.HTTP_FORBIDDEN && status != HttpURLConnection.HTTP_UNAUTHORIZED) {
            return new SandboxLostException(
                    Cluster.BACKEND, pod + " does not run: the API server answered " + status, cause);
        }
        SandboxUnavailableException unavailable = new SandboxUnavailableException(
                Cluster.BACKEND,
                new Availability.Unusable(
                        "the API server at " + cluster.where() + " does not let this account call pods/" + verb
                                + " in the namespace '" + pod.namespace() + "'",
                        "Grant it the Role of docs/kubernetes/role.yaml: the verbs get and create on pods/" + verb
                                + "."));
        unavailable.initCause(cause);
        return unavailable;
    }
}
