package dev.paddock.executor.kubernetes;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.nio.file.Path;

/** A JVM with a session in a pod, started in order to be killed. */
final class PodSessionMain {
    private PodSessionMain() {}

    /**
     * Runs a command that does not end, and writes the pod's name when it runs.
     *
     * @param arguments the kubeconfig, the worktree, the command, the namespace; the template of a claim, if it is to
     *     have one
     */
    public static void main(String[] arguments) throws Exception {
        KubernetesExecutorBuilder options = KubernetesExecutor.builder()
                .kubeconfig(Path.of(arguments[0]))
                .namespace(arguments[3])
                .worktree(Path.of(arguments[1]));
        try (KubernetesExecutor executor = (arguments.length > 4
                        ? options.claim(arguments[4])
                        : options.image(TestCluster.BUSYBOX).pullPolicy("Never"))
                .build()) {
            ProcessLike command = executor.spawn("echo up; " + arguments[2], SpawnOptions.in("/work"));
            if (command.stdout().read() == 'u') {
                System.out.println(executor.pod().orElseThrow());
            }
            var unused = command.onExit().toCompletableFuture().join();
        }
    }
}
