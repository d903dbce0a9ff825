package dev.paddock.executor.kubernetes.cluster;

/**
 * Names a container of a pod.
 *
 * @param namespace the pod's namespace
 * @param pod its name
 * @param container the container's name; empty for the pod's only or default one
 */
public record PodName(String namespace, String pod, String container) {
    @Override
    public String toString() {
        return (container.isEmpty() ? "the pod '" : "the container '" + container + "' of the pod '") + pod
                + "' in the namespace '" + namespace + "'";
    }
}
