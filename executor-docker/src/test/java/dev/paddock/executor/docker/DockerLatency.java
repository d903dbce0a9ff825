package dev.paddock.executor.docker;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Measures a command in a container three ways, in turns, and prints the percentiles: handed to a waiting slot, started cold,
 * and by the docker command. Started by {@code build/measure-docker.sh}.
 */
final class DockerLatency {
    private static final int QUIET_MILLIS = 30;

    private DockerLatency() {}

    public static void main(String[] arguments) throws Exception {
        String image = arguments.length > 0 ? arguments[0] : TestEngine.BUSYBOX;
        int samples = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
        Path worktree = Files.createTempDirectory("paddock-latency-");
        try (DockerExecutor warm =
                DockerExecutor.builder().image(image).worktree(worktree).eager().build()) {
            String container = warm.containerId().orElseThrow();
            try (DockerExecutor cold = DockerExecutor.builder()
                    .container(container)
                    .user(ManagedSettings.ownerOf(worktree))
                    .warmSlots(0)
                    .build()) {
                measure(samples, warm, cold, container);
            }
        } finally {
            Files.deleteIfExists(worktree);
        }
    }

    private static void measure(int samples, DockerExecutor warm, DockerExecutor cold, String container)
            throws Exception {
        double[][] millis = new double[3][samples];
        run(cold);
        for (int index = 0; index < samples; index++) {
            awaitQuiet(warm);
            millis[0][index] = run(warm);
            awaitQuiet(warm);
            millis[1][index] = run(cold);
            awaitQuiet(warm);
            millis[2][index] = client(container);
        }
        String[] names = {"warm", "cold", "docker exec"};
        System.out.printf("%-12s %8s %8s   (ms, %d samples each, in turns)%n", "true", "p50", "p95", samples);
        for (int row = 0; row < names.length; row++) {
            Arrays.sort(millis[row]);
            System.out.printf("%-12s %8.2f %8.2f%n", names[row], at(millis[row], 0.5), at(millis[row], 0.95));
        }
        System.out.printf("warm / docker exec, p50: %.3f%n", at(millis[0], 0.5) / at(millis[2], 0.5));
    }

    private static double at(double[] sorted, double part) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
    }

    /** A sample starts when slots are ready and nothing else is under way. */
    private static void awaitQuiet(DockerExecutor warm) throws InterruptedException {
        while (warm.waitingSlots() < 2) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
    }

    private static double run(CommandExecutor executor) throws IOException {
        long start = System.nanoTime();
        ProcessLike process = executor.spawn("true", SpawnOptions.in("/work"));
        process.stdout().readAllBytes();
        process.stderr().readAllBytes();
        process.onExit().toCompletableFuture().join();
        return (System.nanoTime() - start) / 1e6;
    }

    private static double client(String container) throws Exception {
        long start = System.nanoTime();
        Process process = new ProcessBuilder("docker", "exec", container, "sh", "-c", "true").start();
        process.getInputStream().readAllBytes();
        process.getErrorStream().readAllBytes();
        process.waitFor();
        return (System.nanoTime() - start) / 1e6;
    }
}
