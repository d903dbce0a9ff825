package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Examines whether a cluster can serve claims: its resources, this account's rights, and its pools. */
public final class Readiness {
    private Readiness() {}

    /**
     * Returns whether this account can claim sandboxes of a template.
     *
     * @param named the namespace; empty for the context's
     * @return usable, with the state of the template's pools as its version
     */
    public static Availability of(Cluster cluster, Optional<String> named, String template) {
        try {
            String namespace = named.orElseGet(cluster::namespace);
            String version = cluster.version();
            if (!isServed(cluster)) {
                return SandboxKind.CLAIM.absent(cluster).unusable();
            }
            if (!mayCreate(cluster, namespace)) {
                return cluster.forbidden("create " + SandboxKind.CLAIM.in(namespace), null)
                        .unusable();
            }
            return new Availability.Usable(
                    "Kubernetes " + version + " at " + cluster.where() + ", agent-sandbox " + SandboxKind.VERSION + ", "
                            + pools(cluster, namespace, template),
                    Set.of());
        } catch (SandboxUnavailableException unavailable) {
            return unavailable.unusable();
        }
    }

    /** Returns whether the cluster has claims of sandboxes. */
    public static boolean isServed(Cluster cluster) {
        return cluster.call(
                "list its resources",
                client -> client.supports(SandboxKind.CLAIM.apiVersion(), SandboxKind.CLAIM.kind()));
    }

    private static boolean mayCreate(Cluster cluster, String namespace) {
        GenericKubernetesResource question = new GenericKubernetesResourceBuilder()
                .withApiVersion("authorization.k8s.io/v1")
                .withKind("SelfSubjectAccessReview")
                .build();
        question.setAdditionalProperty(
                "spec",
                Map.of(
                        "resourceAttributes",
                        Map.of(
                                "namespace",
                                namespace,
                                "verb",
                                "create",
                                "group",
                                SandboxKind.CLAIM.group(),
                                "resource",
                                SandboxKind.CLAIM.plural())));
        ResourceDefinitionContext reviews = new ResourceDefinitionContext.Builder()
                .withGroup("authorization.k8s.io")
                .withVersion("v1")
                .withKind("SelfSubjectAccessReview")
                .withPlural("selfsubjectaccessreviews")
                .withNamespaced(false)
                .build();
        GenericKubernetesResource answer = cluster.call(
                "ask for its rights",
                client -> client.genericKubernetesResources(reviews)
                        .resource(question)
                        .create());
        return Boolean.TRUE.equals(answer.<Object>get("status", "allowed"));
    }

    /** Describes the pools of a template; an account that may not list them can still claim. */
    private static String pools(Cluster cluster, String namespace, String template) {
        List<GenericKubernetesResource> pools;
        try {
            pools = SandboxKind.POOL.all(cluster.client()).inNamespace(namespace).list().getItems().stream()
                    .filter(pool -> SandboxState.textAt(pool, "spec", "sandboxTemplateRef", "name")
                            .filter(template::equals)
                            .isPresent())
                    .toList();
        } catch (KubernetesClientException unlisted) {
            return "whose pools this account may not list";
        }
        int ready = pools.stream()
                .mapToInt(pool -> SandboxState.numberAt(pool, "status", "readyReplicas"))
                .sum();
        int wanted = pools.stream()
                .mapToInt(pool -> SandboxState.numberAt(pool, "spec", "replicas"))
                .sum();
        return pools.isEmpty()
                ? "without a pool for the template '" + template + "'"
                : ready + " of " + wanted + " sandboxes ready in the pool of the template '" + template + "'";
    }
}
