package dev.paddock.executor.ssh;

import dev.paddock.executor.RunOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Measures commands over ssh on the loopback interface, beside ssh itself with a shared connection:
 * run it by its main method. Prints medians in milliseconds.
 */
final class SshFigures {
    private static final int ROUNDS = 21;
    private static final int FILES = 10_000;
    private static final int MEBIBYTE = 1 << 20;

    private SshFigures() {}

    /**
     * Measures.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("paddock-figures");
        try (TestServer server = TestServer.start()) {
            warm(server);
            noChange(server, directory.resolve("many"));
            firstPush(server, directory.resolve("large"));
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void warm(TestServer server) throws Exception {
        Path socket = server.directory().resolve("s");
        shell("ssh -f -N -M -S " + socket + " -F " + server.config() + " " + TestServer.HOST);
        try (SshExecutor executor = server.client().warmSlots(2).build()) {
            executor.start();
            long[] warm = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                while (executor.waitingSlots() < 2) {
                    Thread.onSpinWait();
                }
                warm[round] = time(() -> executor.run("true", RunOptions.in("/")));
            }
            print("warm command", warm);
        }
        long[] plain = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            plain[round] =
                    time(() -> shell("ssh -S " + socket + " -F " + server.config() + " " + TestServer.HOST + " true"));
        }
        print("ssh with ControlMaster", plain);
        shell("ssh -S " + socket + " -O exit -F " + server.config() + " " + TestServer.HOST + " 2>/dev/null");
    }

    private static void noChange(TestServer server, Path worktree) throws Exception {
        for (int index = 0; index < FILES; index++) {
            Path file = worktree.resolve("d" + index / 100).resolve("f" + index);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "content " + index);
        }
        try (SshExecutor executor = server.client().worktree(worktree).build()) {
            String there = executor.worktree().orElseThrow().commandPath();
            print("first command, " + FILES + " files", time(() -> executor.run("true", RunOptions.in(there))));
            long[] none = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                none[round] = time(() -> executor.run("true", RunOptions.in(there)));
            }
            print("command without a change, " + FILES + " files", none);
        }
        String remote = TestServer.HOST + ":" + server.directory().resolve("rsynced");
        String rsync = "rsync -a -e 'ssh -F " + server.config() + "' " + worktree + "/ " + remote;
        print("rsync, first", time(() -> shell(rsync)));
        print("rsync without a change", time(() -> shell(rsync)));
    }

    private static void firstPush(TestServer server, Path worktree) throws Exception {
        Files.createDirectories(worktree);
        byte[] block = new byte[MEBIBYTE];
        for (int index = 0; index < 100; index++) {
            new Random(index).nextBytes(block);
            Files.write(worktree.resolve("f" + index), block);
        }
        Path target = Files.createDirectories(server.directory().resolve("tarred"));
        String tar = "tar -C " + worktree + " -cf - . | ssh -F " + server.config() + " " + TestServer.HOST + " tar -C "
                + target + " -xf -";
        print("tar | ssh tar, 100 MiB", time(() -> shell(tar)));
        try (SshExecutor executor = server.client().worktree(worktree).build()) {
            String there = executor.worktree().orElseThrow().commandPath();
            print("first command, 100 MiB", time(() -> executor.run("true", RunOptions.in(there))));
        }
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
        System.out.printf("%-50s %.1f%n", what, nanos[nanos.length / 2] / 1e6);
    }
}
