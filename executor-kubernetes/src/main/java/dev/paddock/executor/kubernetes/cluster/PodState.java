package dev.paddock.executor.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Optional;

/** Reads a pod's status. */
public final class PodState {
    private PodState() {}

    /**
     * Returns why a pod has ended.
     *
     * @param container the container's name; empty for any
     * @return a phrase; empty if the pod runs, or may still start
     */
    public static Optional<String> end(Pod pod, String container) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of("was deleted");
        }
        String phase = phase(pod);
        if (phase.equals("Failed") || phase.equals("Succeeded")) {
            String reason = pod.getStatus().getReason();
            return Optional.of("has ended (" + phase + (reason == null ? "" : ", " + reason) + ")"
                    + terminated(pod, container).map(why -> ": " + why).orElse(""));
        }
        return terminated(pod, container).map(why -> "has ended: " + why);
    }

    /** Returns whether every process of a pod has ended, as after its deadline. */
    static boolean hasEnded(Pod pod) {
        return phase(pod).equals("Failed") || phase(pod).equals("Succeeded");
    }

    /** Returns whether a pod has ended and is not being deleted. */
    public static boolean isLeft(Pod pod) {
        return hasEnded(pod) && pod.getMetadata().getDeletionTimestamp() == null;
    }

    private static Optional<String> terminated(Pod pod, String container) {
        return statuses(pod).stream()
                .filter(status -> container.isEmpty() || status.getName().equals(container))
                .map(ContainerStatus::getState)
                .filter(state -> state != null && state.getTerminated() != null)
                .map(ContainerState::getTerminated)
                .map(ended -> ended.getReason() + ", exit code " + ended.getExitCode())
                .findFirst();
    }

    private static List<ContainerStatus> statuses(Pod pod) {
        return pod.getStatus() == null ? List.of() : pod.getStatus().getContainerStatuses();
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
    }

    public static boolean runs(Pod pod, String container) {
        return end(pod, container).isEmpty()
                && statuses(pod).stream()
                        .anyMatch(status ->
                                (container.isEmpty() || status.getName().equals(container))
                                        && status.getState() != null
                                        && status.getState().getRunning() != null);
    }

    /** Identifies the run of a container: its pod's id and its own, which changes when it is restarted. */
    public static String run(Pod pod, String container) {
        return pod.getMetadata().getUid() + " "
                + statuses(pod).stream()
                        .filter(status ->
                                container.isEmpty() || status.getName().equals(container))
                        .map(status -> String.valueOf(status.getContainerID()))
                        .findFirst()
                        .orElse("");
    }

    /** Returns what a pending pod waits for, with the cluster's reason. */
    public static String waiting(Pod pod) {
        for (ContainerStatus status : statuses(pod)) {
            if (status.getState() != null && status.getState().getWaiting() != null) {
                String message = status.getState().getWaiting().getMessage();
                return status.getState().getWaiting().getReason() + (message == null ? "" : ": " + message);
            }
        }
        List<PodCondition> conditions =
                pod.getStatus() == null ? List.of() : pod.getStatus().getConditions();
        for (PodCondition condition : conditions) {
            if ("False".equals(condition.getStatus()) && condition.getMessage() != null) {
                return condition.getReason() + ": " + condition.getMessage();
            }
        }
        return phase(pod).isEmpty() ? "not scheduled yet" : phase(pod);
    }

    /** Returns whether waiting is futile: the image does not exist or its configuration is wrong. */
    public static boolean isHopeless(Pod pod) {
        String why = waiting(pod);
        return List.of(
                        "ErrImageNeverPull",
                        "InvalidImageName",
                        "CreateContainerConfigError",
                        "CreateContainerError",
                        "RunContainerError",
                        "ImagePullBackOff")
                .stream()
                .anyMatch(why::startsWith);
    }
}
