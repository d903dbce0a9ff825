package dev.paddock.executor.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;

/**
 * The NetworkPolicy that denies one pod every connection. The cluster deletes it with the pod, its owner. A cluster may
 * accept it without enforcing it.
 */
public final class NetworkDenial {
    /** The label by which the policy selects its pod alone: the value is the pod's name. */
    static final String LABEL = "dev.paddock/pod";

    private NetworkDenial() {}

    /**
     * Creates the policy.
     *
     * @param pod a running pod
     * @throws dev.paddock.executor.SandboxUnavailableException if the server does not answer, or refuses
     */
    public static void create(Cluster cluster, Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        GenericKubernetesResource unused = cluster.call(
                "create networkpolicies in the namespace '" + namespace + "'",
                client -> client.genericKubernetesResources("networking.k8s.io/v1", "NetworkPolicy")
                        .inNamespace(namespace)
                        .resource(specification(pod))
                        .create());
    }

    static GenericKubernetesResource specification(Pod pod) {
        String name = pod.getMetadata().getName();
        GenericKubernetesResource policy = new GenericKubernetesResourceBuilder()
                .withApiVersion("networking.k8s.io/v1")
                .withKind("NetworkPolicy")
                .withNewMetadata()
                .withName(name)
                .addToLabels(PodSpecification.MANAGED_LABEL, PodSpecification.MANAGED)
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName(name)
                        .withUid(pod.getMetadata().getUid())
                        .build())
                .endMetadata()
                .build();
        policy.setAdditionalProperty(
                "spec",
                Map.of(
                        "podSelector",
                        Map.of("matchLabels", Map.of(LABEL, name)),
                        "policyTypes",
                        List.of("Ingress", "Egress")));
        return policy;
    }
}
