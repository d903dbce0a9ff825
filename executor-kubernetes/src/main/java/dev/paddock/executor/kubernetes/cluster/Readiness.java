package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
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
            SandboxVersion sandboxes = SandboxKind.CLAIM.version(cluster);
            if (!mayCreate(cluster, namespace)) {
                return cluster.forbidden("create " + SandboxKind.CLAIM.in(namespace), null)
                        .unusable();
            }
            return new Availability.Usable(
                    "Kubernetes " + version + " at " + cluster.where() + ", agent-sandbox " + sandboxes + ", "
                            + pools(cluster, sandboxes, namespace, template),
                    Set.of());
        } catch (SandboxUnavailableException unavailable) {
            return unavailable.unusable();
        }
    }

    /** Returns the version of agent-sandbox that the cluster serves; empty if it serves none. */
    public static Optional<String> sandboxes(Cluster cluster) {
        return cluster.sandboxes().map(SandboxVersion::toString);
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

    /**
     * Describes the pools of a template; an account that may not list them can still claim where claims name no pool.
     *
     * @throws SandboxUnavailableException if a claim names a pool, and none can be named
     */
    private static String pools(Cluster cluster, SandboxVersion version, String namespace, String template) {
        try {
            TemplatePools pools = TemplatePools.of(cluster, namespace, template);
            if (version.claimsPools()) {
                String unused = pools.fullest();
            }
            return pools.toString();
        } catch (SandboxUnavailableException unlisted) {
            if (version.claimsPools()) {
                throw unlisted;
            }
            return "whose pools this account may not list";
        }
    }
}
