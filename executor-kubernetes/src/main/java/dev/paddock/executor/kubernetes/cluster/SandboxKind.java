package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A kind of object that the controller of kubernetes-sigs/agent-sandbox serves. */
enum SandboxKind {
    /** Asks for a sandbox of a template. */
    CLAIM("extensions.agents.x-k8s.io", "SandboxClaim", "sandboxclaims"),
    /** A pod that keeps its name and volumes. */
    SANDBOX("agents.x-k8s.io", "Sandbox", "sandboxes"),
    /** Sandboxes that are started ahead of their claims. */
    POOL("extensions.agents.x-k8s.io", "SandboxWarmPool", "sandboxwarmpools");

    private final String group;
    private final String kind;
    private final String plural;

    SandboxKind(String group, String kind, String plural) {
        this.group = group;
        this.kind = kind;
        this.plural = plural;
    }

    String group() {
        return group;
    }

    String kind() {
        return kind;
    }

    String plural() {
        return plural;
    }

    /**
     * Returns the version of these objects that the server serves.
     *
     * @throws SandboxUnavailableException if it serves none that Paddock knows
     */
    SandboxVersion version(Cluster cluster) {
        return cluster.sandboxes()
                .orElseThrow(() -> absent(
                        cluster,
                        Arrays.stream(SandboxVersion.values())
                                .map(SandboxVersion::toString)
                                .collect(Collectors.joining(" or "))));
    }

    String apiVersion(SandboxVersion version) {
        return group + "/" + version;
    }

    NonNamespaceOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            all(Cluster cluster, String namespace) {
        return cluster.client()
                .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup(group)
                        .withVersion(version(cluster).toString())
                        .withKind(kind)
                        .withPlural(plural)
                        .withNamespaced(true)
                        .build())
                .inNamespace(namespace);
    }

    Resource<GenericKubernetesResource> named(Cluster cluster, String namespace, String name) {
        return all(cluster, namespace).withName(name);
    }

    /** Returns an object; empty if it does not exist. */
    Optional<GenericKubernetesResource> get(Cluster cluster, String namespace, String name) {
        return cluster.sandboxes().isEmpty()
                ? Optional.empty()
                : call(
                        cluster,
                        "get",
                        namespace,
                        () -> Optional.ofNullable(
                                named(cluster, namespace, name).get()));
    }

    String in(String namespace) {
        return plural + " in the namespace '" + namespace + "'";
    }

    /**
     * Calls the API server.
     *
     * @param verb the action, for messages
     * @throws SandboxUnavailableException if the cluster does not have objects of this kind, the server does not
     *     answer, or refuses
     */
    <T> T call(Cluster cluster, String verb, String namespace, Supplier<T> action) {
        return cluster.call(verb + " " + in(namespace), client -> {
            try {
                return action.get();
            } catch (KubernetesClientException fault) {
                throw isUnknown(fault) ? absent(cluster, version(cluster).toString()) : fault;
            }
        });
    }

    /**
     * Returns whether the server serves no objects of this kind; if only the namespace is missing, it knows the name.
     */
    private static boolean isUnknown(KubernetesClientException fault) {
        return fault.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                && (fault.getStatus() == null
                        || fault.getStatus().getDetails() == null
                        || fault.getStatus().getDetails().getName() == null);
    }

    /**
     * Returns the exception for a cluster that does not serve objects of this kind.
     *
     * @param versions the supported versions
     */
    private SandboxUnavailableException absent(Cluster cluster, String versions) {
        return new SandboxUnavailableException(
                Cluster.BACKEND,
                new Availability.Unusable(
                        "the API server at " + cluster.where() + " has no " + plural + " (" + group + "/" + versions
                                + ")",
                        "Install agent-sandbox with its extensions in the cluster, or name an image instead."));
    }
}
