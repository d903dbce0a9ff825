package dev.paddock.benchmarks.remote;

import dev.paddock.benchmarks.row.Programs;
import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.kubernetes.KubernetesExecutor;
import dev.paddock.executor.kubernetes.KubernetesExecutorBuilder;
import dev.paddock.executor.kubernetes.KubernetesProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reaches the cluster of the current kubeconfig, which has the image or can pull it.
 *
 * @param image of the pods
 * @param pod in which kubectl runs its commands; this owns it
 */
public record Cluster(String image, KubernetesExecutor pod) implements Elsewhere {

    /** Connects to the cluster that {@code kubectl} uses. */
    public static Cluster open(String image) throws IOException {
        if (new KubernetesProvider().probe() instanceof Availability.Unusable absent) {
            throw new IOException(absent.reason() + "; " + absent.remedy());
        }
        Path unused = Programs.onPath("kubectl");
        return new Cluster(image, pod(image).withoutWorktree().eager().build());
    }

    /** Returns a builder of executors in pods of the image. */
    public static KubernetesExecutorBuilder pod(String image) {
        return KubernetesExecutor.builder().image(image).pullPolicy("IfNotPresent");
    }

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public String label() {
        return "pod";
    }

    @Override
    public String program() {
        return "kubectl exec";
    }

    @Override
    public CommandExecutor open() {
        return pod(image).withoutWorktree().build();
    }

    @Override
    public CommandExecutor open(Path worktree) {
        return pod(image).worktree(worktree).eager().build();
    }

    @Override
    public List<String> line() {
        return List.of("kubectl", "exec", pod.pod().orElseThrow(), "--", "sh", "-c");
    }

    @Override
    public String fresh() {
        return "kubectl run paddock-bench-$$ --image=" + image
                + " --image-pull-policy=IfNotPresent --restart=Never --rm -i --quiet -- echo x";
    }

    @Override
    public String tar() {
        return "tar -C \"$TREE\" -cf - . | kubectl exec -i " + pod.pod().orElseThrow()
                + " -- sh -c \"mkdir $TO && tar -C $TO -xf -\"";
    }

    /** No rsync runs in the image. */
    @Override
    public Optional<String> rsync() {
        return Optional.empty();
    }

    @Override
    public String scratch() {
        return "/tmp";
    }

    @Override
    public void close() {
        pod.close();
    }
}
