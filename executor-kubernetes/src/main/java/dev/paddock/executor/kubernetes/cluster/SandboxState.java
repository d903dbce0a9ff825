package dev.paddock.executor.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the status of claims and sandboxes. */
final class SandboxState {
    /** Names a sandbox's pod; without it the pod has the sandbox's name. */
    static final String POD_NAME = "agents.x-k8s.io/pod-name";

    /** The reason of a claim whose template does not exist. */
    static final String NO_TEMPLATE = "TemplateNotFound";

    /** Reasons that waiting does not change. */
    private static final Set<String> FINAL =
            Set.of(NO_TEMPLATE, "WarmPoolNotFound", "InvalidMetadata", "ClaimExpired", "SandboxExpired");

    private SandboxState() {}

    /**
     * The condition {@code Ready} of a claim or sandbox.
     *
     * @param reason a word
     * @param message the controller's explanation; may be empty
     */
    record Ready(boolean isTrue, String reason, String message) {
        boolean isFinal() {
            return !isTrue && FINAL.contains(reason);
        }

        @Override
        public String toString() {
            return message.isBlank() ? reason : reason + ": " + message;
        }
    }

    /** Returns the condition; empty if the controller has not set it. */
    static Optional<Ready> ready(GenericKubernetesResource object) {
        return object.get("status", "conditions") instanceof List<?> conditions
                ? conditions.stream()
                        .filter(Map.class::isInstance)
                        .map(condition -> (Map<?, ?>) condition)
                        .filter(condition -> "Ready".equals(condition.get("type")))
                        .map(condition -> new Ready(
                                "True".equals(condition.get("status")),
                                text(condition.get("reason")),
                                text(condition.get("message"))))
                        .findFirst()
                : Optional.empty();
    }

    static boolean isReady(GenericKubernetesResource object) {
        return ready(object).filter(Ready::isTrue).isPresent();
    }

    static boolean isFinal(GenericKubernetesResource object) {
        return ready(object).filter(Ready::isFinal).isPresent();
    }

    static boolean isDeleted(GenericKubernetesResource object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    private static String text(@Nullable Object value) {
        return value instanceof String known ? known : "";
    }

    /** Returns the name of a claim's sandbox; empty as long as it has none. */
    static Optional<String> sandbox(GenericKubernetesResource claim) {
        Optional<String> named = textAt(claim, "status", "sandbox", "name")
                .or(() -> textAt(claim, "status", "sandbox", "Name")); // in early releases
        return named.isPresent() || !isReady(claim)
                ? named
                : Optional.of(claim.getMetadata().getName());
    }

    static Optional<String> textAt(GenericKubernetesResource object, Object... path) {
        return Optional.of(text(object.get(path))).filter(text -> !text.isEmpty());
    }

    /** Returns a number of an object; 0 if absent. */
    static int numberAt(GenericKubernetesResource object, Object... path) {
        return object.get(path) instanceof Number number ? number.intValue() : 0;
    }

    static String pod(GenericKubernetesResource sandbox) {
        return Optional.ofNullable(sandbox.getMetadata().getAnnotations())
                .flatMap(annotations -> Optional.ofNullable(annotations.get(POD_NAME)))
                .filter(name -> !name.isEmpty())
                .orElse(sandbox.getMetadata().getName());
    }
}
