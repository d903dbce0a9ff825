package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Function;

/** A kind of object that the controller of kubernetes-sigs/agent-sandbox serves. */
enum SandboxKind {
    /** Asks for a sandbox of a template. */
    CLAIM("extensions.agents.x-k8s.io", "SandboxClaim", "sandboxclaims"),
    /** A pod that keeps its name and volumes. */
    SANDBOX("agents.x-k8s.io", "Sandbox", "sandboxes"),
    /** Sandboxes that are started ahead of their claims. */
    POOL("extensions.agents.x-k8s.io", "SandboxWarmPool", "sandboxwarmpools");

    static final String VERSION = "v1alpha1";

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

    String apiVersion() {
        return group + "/" + VERSION;
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>> all(
            KubernetesClient client) {
        return client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(VERSION)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build());
    }

    Resource<GenericKubernetesResource> named(KubernetesClient client, String namespace, String name) {
        return all(client).inNamespace(namespace).withName(name);
    }

    /** Returns an object; empty if it does not exist. */
    Optional<GenericKubernetesResource> get(Cluster cluster, String namespace, String name) {
        return cluster.call(
                "get " + in(namespace),
                client -> Optional.ofNullable(named(client, namespace, name).get()));
    }

    /** Returns these objects in a namespace, for messages. */
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
    <T> T call(Cluster cluster, String verb, String namespace, Function<KubernetesClient, T> action) {
        return cluster.call(verb + " " + in(namespace), client -> {
            try {
                return action.apply(client);
            } catch (KubernetesClientException fault) {
                throw isUnknown(fault) ? absent(cluster) : fault;
            }
        });
    }

    /** Returns whether the server does not serve objects of this kind; of a missing namespace it knows the name. */
    private static boolean isUnknown(KubernetesClientException fault) {
        return fault.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                && (fault.getStatus() == null
                        || fault.getStatus().getDetails() == null
                        || fault.getStatus().getDetails().getName() == null);
    }

    /** Returns the exception for a cluster that does not serve objects of this kind. */
    SandboxUnavailableException absent(Cluster cluster) {
        return new SandboxUnavailableException(
                Cluster.BACKEND,
                new Availability.Unusable(
                        "the API server at " + cluster.where() + " has no " + plural + " (" + apiVersion() + ")",
                        "Install agent-sandbox with its extensions in the cluster, or name an image instead."));
    }
}
