package dev.paddock.executor.kubernetes;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Measures commands in pods, beside {@code kubectl exec}: run it by its main method, with the cluster of the
 * tests. Prints medians in milliseconds, and the machine's load before and after.
 */
final class PodFigures {
    private static final int ROUNDS = 21;
    private static final int PODS = 5;
    private static final int AT_ONCE = 64;
    private static final int FILES = 10_000;
    private static final int MEBIBYTE = 1 << 20;
    private static final int LARGE_FILES = 100;

    private PodFigures() {}

    /**
     * Measures.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws Exception {
        load();
        Path directory = Files.createTempDirectory("paddock-figures");
        try {
            Path empty = Files.createDirectories(directory.resolve("empty"));
            start(empty);
            warm(empty);
            noChange(directory.resolve("many"));
            firstPush(directory.resolve("large"));
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                    Files.delete(file);
                }
            }
        }
        load();
    }

    private static void load() throws Exception {
        System.out.println("load: " + Files.readString(Path.of("/proc/loadavg")).strip());
    }

    private static KubernetesExecutor.Builder options(Path worktree) {
        return TestCluster.synced(TestCluster.BUSYBOX, worktree);
    }

    private static void start(Path worktree) throws Exception {
        long[] first = new long[PODS];
        for (int round = 0; round < PODS; round++) {
            try (KubernetesExecutor executor =
                    options(worktree).withoutWorktree().build()) {
                first[round] = time(() -> executor.spawn("echo x", SpawnOptions.in("/work"))
                        .stdout()
                        .read());
            }
        }
        print("pod create to first byte", first);
    }

    private static void warm(Path worktree) throws Exception {
        try (KubernetesExecutor executor =
                options(worktree).withoutWorktree().warmSlots(2).build()) {
            executor.start();
            long[] warm = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                while (executor.waitingSlots() < 2) {
                    Thread.onSpinWait();
                }
                warm[round] = time(() -> executor.run("true", RunOptions.in("/work")));
            }
            print("warm command", warm);
            String exec = kubectl() + " exec " + executor.pod().orElseThrow() + " -- true";
            long[] plain = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                plain[round] = time(() -> shell(exec));
            }
            print("kubectl exec", plain);
            print(AT_ONCE + " commands at once, until the last has closed", time(() -> atOnce(executor)));
        }
    }

    private static int atOnce(KubernetesExecutor executor) {
        List<CompletableFuture<Integer>> commands = new ArrayList<>();
        for (int index = 0; index < AT_ONCE; index++) {
            commands.add(CompletableFuture.supplyAsync(
                    () -> {
                        ProcessLike command = executor.spawn("echo x", SpawnOptions.in("/work"));
                        return command.onClosed()
                                .toCompletableFuture()
                                .join()
                                .notices()
                                .size();
                    },
                    task -> Thread.ofVirtual().start(task)));
        }
        return commands.stream().mapToInt(CompletableFuture::join).sum();
    }

    private static void noChange(Path worktree) throws Exception {
        for (int index = 0; index < FILES; index++) {
            Path file = worktree.resolve("d" + index / 100).resolve("f" + index);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "content " + index);
        }
        try (KubernetesExecutor executor = options(worktree).build()) {
            executor.start();
            print("first command, " + FILES + " files", time(() -> executor.run("true", RunOptions.in("/work"))));
            long[] none = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                none[round] = time(() -> executor.run("true", RunOptions.in("/work")));
            }
            print("command without a change, " + FILES + " files", none);
            String exec = kubectl() + " exec " + executor.pod().orElseThrow() + " -- true";
            long[] plain = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                plain[round] = time(() -> shell(exec));
            }
            print("kubectl exec at that time", plain);
        }
    }

    private static void firstPush(Path worktree) throws Exception {
        Files.createDirectories(worktree);
        byte[] block = new byte[MEBIBYTE];
        for (int index = 0; index < LARGE_FILES; index++) {
            new Random(index).nextBytes(block);
            Files.write(worktree.resolve("f" + index), block);
        }
        try (KubernetesExecutor executor = options(worktree).build()) {
            executor.start();
            String tar = "tar -C " + worktree + " -cf - . | " + kubectl() + " exec -i "
                    + executor.pod().orElseThrow() + " -- tar -C /tmp -xf -";
            print("tar | kubectl exec tar, 100 MiB", time(() -> shell(tar)));
            print("first command, 100 MiB", time(() -> executor.run("true", RunOptions.in("/work"))));
        }
    }

    private static String kubectl() {
        Path kubeconfig = TestCluster.kubeconfig();
        return kubeconfig.resolveSibling("bin/kubectl") + " --kubeconfig " + kubeconfig;
    }

    private static int shell(String command) throws Exception {
        return new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor();
    }

    private static long time(Callable<?> action) throws Exception {
        long begun = System.nanoTime();
        Object unused = action.call();
        return System.nanoTime() - begun;
    }

    private static void print(String what, long... nanos) {
        Arrays.sort(nanos);
        System.out.printf("%-60s %.1f%n", what, nanos[nanos.length / 2] / 1e6);
    }
}
