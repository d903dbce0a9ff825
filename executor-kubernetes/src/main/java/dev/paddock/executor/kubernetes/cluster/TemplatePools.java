package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The pools of a namespace, seen from one template.
 *
 * @param all the pools of every template
 */
record TemplatePools(String namespace, String template, List<GenericKubernetesResource> all) {
    /**
     * Lists the pools.
     *
     * @throws SandboxUnavailableException if the cluster has no such objects, the server does not answer, or refuses
     */
    static TemplatePools of(Cluster cluster, String namespace, String template) {
        return new TemplatePools(
                namespace,
                template,
                SandboxKind.POOL.call(
                        cluster,
                        "list",
                        namespace,
                        () -> SandboxKind.POOL.all(cluster, namespace).list().getItems()));
    }

    private List<GenericKubernetesResource> ours() {
        return all.stream().filter(pool -> templateOf(pool).equals(template)).toList();
    }

    private static String templateOf(GenericKubernetesResource pool) {
        return SandboxState.textAt(pool, "spec", "sandboxTemplateRef", "name").orElse("");
    }

    private static int ready(GenericKubernetesResource pool) {
        return SandboxState.numberAt(pool, "status", "readyReplicas");
    }

    /**
     * Returns the name of the template's pool with the most ready sandboxes.
     *
     * @throws SandboxUnavailableException if the template has no pool
     */
    String fullest() {
        return ours().stream()
                .max(Comparator.comparingInt(TemplatePools::ready))
                .orElseThrow(this::absent)
                .getMetadata()
                .getName();
    }

    private SandboxUnavailableException absent() {
        String others = String.join(
                ", ",
                all.stream()
                        .map(TemplatePools::templateOf)
                        .filter(Predicate.not(String::isEmpty))
                        .distinct()
                        .sorted()
                        .toList());
        return new SandboxUnavailableException(
                Cluster.BACKEND,
                new Availability.Unusable(
                        "the template '" + template + "' has no SandboxWarmPool in the namespace '" + namespace
                                + "', which agent-sandbox " + SandboxVersion.V1BETA1 + " requires",
                        "Create the template and its pool as docs/kubernetes/template.yaml does"
                                + (others.isEmpty() ? "." : ", or claim a template that has a pool: " + others + ".")));
    }

    /** Returns how full the template's pools are, for messages. */
    @Override
    public String toString() {
        return ours().isEmpty()
                ? "without a pool for the template '" + template + "'"
                : sum(TemplatePools::ready) + " of " + sum(pool -> SandboxState.numberAt(pool, "spec", "replicas"))
                        + " sandboxes ready in the pool of the template '" + template + "'";
    }

    private int sum(ToIntFunction<GenericKubernetesResource> number) {
        return ours().stream().mapToInt(number).sum();
    }
}
