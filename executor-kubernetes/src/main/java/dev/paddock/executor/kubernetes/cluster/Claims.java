package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.upkeep.SweepMode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Creates, awaits and deletes claims of sandboxes. */
public final class Claims {
    /** The annotation with the template of a claim, which in some versions names only a pool. */
    private static final String TEMPLATE = "dev.paddock/template";

    private Claims() {}

    /**
     * A claim.
     *
     * @param template the template of its sandbox
     */
    public record Claim(String namespace, String name, String template) {
        @Override
        public String toString() {
            return "the claim '" + name + "' of the template '" + template + "' in the namespace '" + namespace + "'";
        }
    }

    /**
     * Creates a claim that ends at its deadline, or when a sweep finds this JVM dead.
     *
     * @param deadline from now, after which the cluster deletes it
     */
    public static void create(Cluster cluster, Claim claim, Duration deadline) {
        Map<String, Object> lifecycle = Map.of(
                "shutdownTime",
                Instant.now().plus(deadline).truncatedTo(ChronoUnit.SECONDS).toString(),
                "shutdownPolicy",
                "Delete");
        create(cluster, claim, Map.of("lifecycle", lifecycle), Map.of(PodSpecification.OWNER, owner()));
    }

    private static String owner() {
        return OwnerId.current().toString();
    }

    private static void create(
            Cluster cluster, Claim claim, Map<String, Object> further, Map<String, String> annotations) {
        SandboxVersion version = SandboxKind.CLAIM.version(cluster);
        Map<String, Object> spec = new HashMap<>(further);
        String source = version.claimsPools()
                ? TemplatePools.of(cluster, claim.namespace(), claim.template()).fullest()
                : claim.template();
        spec.putAll(version.claim(source));
        GenericKubernetesResource specification = new GenericKubernetesResourceBuilder()
                .withApiVersion(SandboxKind.CLAIM.apiVersion(version))
                .withKind(SandboxKind.CLAIM.kind())
                .withNewMetadata()
                .withName(claim.name())
                .addToLabels(PodSpecification.MANAGED_LABEL, PodSpecification.MANAGED)
                .withAnnotations(annotations)
                .addToAnnotations(TEMPLATE, claim.template())
                .endMetadata()
                .build();
        specification.setAdditionalProperty("spec", spec);
        GenericKubernetesResource unused = SandboxKind.CLAIM.call(
                cluster,
                "create",
                claim.namespace(),
                () -> SandboxKind.CLAIM
                        .all(cluster, claim.namespace())
                        .resource(specification)
                        .create());
    }

    /**
     * Finds or creates a kept claim.
     *
     * @throws SandboxUnavailableException if something else has the name
     */
    public static void keep(Cluster cluster, Claim claim) {
        Optional<GenericKubernetesResource> known = SandboxKind.CLAIM.get(cluster, claim.namespace(), claim.name());
        if (known.isEmpty()) {
            create(cluster, claim, Map.of(), Map.of());
        } else if (!isOurs(known.get()) || !annotation(known.get(), TEMPLATE).equals(claim.template())) {
            throw unusable(
                    "the claim '" + claim.name() + "' in the namespace '" + claim.namespace()
                            + "' exists, and is not one of Paddock's for the template '" + claim.template() + "'",
                    "Choose another name, or delete that claim.",
                    false);
        }
    }

    private static boolean isOurs(GenericKubernetesResource claim) {
        Map<String, String> labels = claim.getMetadata().getLabels();
        return labels != null && PodSpecification.MANAGED.equals(labels.get(PodSpecification.MANAGED_LABEL));
    }

    /** Returns whether a claim exists and is not being deleted. */
    public static boolean exists(Cluster cluster, Claim claim) {
        return SandboxKind.CLAIM
                .get(cluster, claim.namespace(), claim.name())
                .filter(known -> !SandboxState.isDeleted(known))
                .isPresent();
    }

    /** Returns the name of a claim's sandbox; empty as long as it has none. */
    public static Optional<String> sandbox(Cluster cluster, Claim claim) {
        return SandboxKind.CLAIM.get(cluster, claim.namespace(), claim.name()).flatMap(SandboxState::sandbox);
    }

    /**
     * Waits until a claim has a sandbox.
     *
     * @param progress receives what the claim waits for
     * @return the sandbox's name
     * @throws SandboxUnavailableException if it has none in time, or never will
     * @throws dev.paddock.executor.AbortedException if the signal has aborted the wait
     */
    public static String awaitSandbox(
            Cluster cluster, Claim claim, Duration bound, Consumer<String> progress, AbortSignal signal) {
        try {
            GenericKubernetesResource settled = new ObjectWait(cluster, SandboxKind.CLAIM.in(claim.namespace()), signal)
                    .until(
                            SandboxKind.CLAIM.named(cluster, claim.namespace(), claim.name()),
                            seen -> isSettled(seen, progress),
                            bound)
                    .orElseThrow(() -> deleted(claim));
            return SandboxState.sandbox(settled).orElseThrow(() -> refused(claim, settled));
        } catch (TimeoutException late) {
            String why = SandboxKind.CLAIM
                    .get(cluster, claim.namespace(), claim.name())
                    .flatMap(SandboxState::ready)
                    .map(SandboxState.Ready::toString)
                    .orElse("its controller has not reported anything");
            throw unusable(
                    claim + " has no sandbox in time: " + why,
                    "Look at the template and at agent-sandbox's controller, or raise the time limit of the start.",
                    true);
        }
    }

    private static boolean isSettled(GenericKubernetesResource seen, Consumer<String> progress) {
        SandboxState.ready(seen).ifPresent(now -> progress.accept(now.toString()));
        return SandboxState.sandbox(seen).isPresent() || SandboxState.isFinal(seen) || SandboxState.isDeleted(seen);
    }

    private static SandboxUnavailableException deleted(Claim claim) {
        return unusable(claim + " was deleted before it had a sandbox", "Try again.", true);
    }

    private static SandboxUnavailableException refused(Claim claim, GenericKubernetesResource settled) {
        if (SandboxState.isDeleted(settled)) {
            return deleted(claim);
        }
        String why =
                SandboxState.ready(settled).map(SandboxState.Ready::toString).orElse("");
        return why.startsWith(SandboxState.NO_TEMPLATE)
                ? unusable(
                        "the template '" + claim.template() + "' does not exist in the namespace '" + claim.namespace()
                                + "'",
                        "Name one that kubectl get sandboxtemplates --namespace " + claim.namespace() + " lists.",
                        false)
                : unusable(claim + " gets no sandbox: " + why, "Fix what the reason names.", false);
    }

    /** Deletes a claim, after which the cluster ends its sandbox and pod in its own time. */
    public static void delete(Cluster cluster, Claim claim) {
        delete(cluster, claim.namespace(), claim.name());
    }

    private static void delete(Cluster cluster, String namespace, String name) {
        if (cluster.sandboxes().isPresent()) {
            var unused = SandboxKind.CLAIM.call(
                    cluster,
                    "delete",
                    namespace,
                    () -> SandboxKind.CLAIM.named(cluster, namespace, name).delete());
        }
    }

    /**
     * Deletes the claims of dead JVMs; finds none where this account may not list claims, or the cluster has none.
     *
     * @param mode whether to delete or only list them
     * @return a phrase for each claim, deleted or not
     */
    public static List<String> sweep(Cluster cluster, String namespace, SweepMode mode) {
        List<String> done = new ArrayList<>();
        for (GenericKubernetesResource claim : ours(cluster, namespace)) {
            String name = claim.getMetadata().getName();
            if (OwnerId.parse(annotation(claim, PodSpecification.OWNER))
                    .filter(OwnerId::provenDead)
                    .isPresent()) {
                String what = "the claim '" + name + "' in the namespace '" + namespace + "'";
                done.add(mode.apply("delete " + what, () -> remove(cluster, namespace, name, what)));
            }
        }
        return done;
    }

    private static String annotation(GenericKubernetesResource claim, String name) {
        Map<String, String> annotations = claim.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(name, "");
    }

    private static List<GenericKubernetesResource> ours(Cluster cluster, String namespace) {
        if (cluster.sandboxes().isEmpty()) {
            return List.of();
        }
        return cluster.call("list " + SandboxKind.CLAIM.in(namespace), client -> {
            try {
                return SandboxKind.CLAIM
                        .all(cluster, namespace)
                        .withLabel(PodSpecification.MANAGED_LABEL, PodSpecification.MANAGED)
                        .list()
                        .getItems();
            } catch (KubernetesClientException fault) {
                if (fault.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                        || fault.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                    return List.of();
                }
                throw fault;
            }
        });
    }

    private static String remove(Cluster cluster, String namespace, String name, String what) {
        try {
            delete(cluster, namespace, name);
            return what + " was deleted";
        } catch (ExecutorException fault) {
            return what + " could not be deleted: " + fault.getMessage();
        }
    }

    private static SandboxUnavailableException unusable(String reason, String remedy, boolean isTransient) {
        return new SandboxUnavailableException(Cluster.BACKEND, new Availability.Unusable(reason, remedy, isTransient));
    }
}
