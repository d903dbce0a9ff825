package dev.paddock.benchmarks;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.SessionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Reads a command's output in this JVM and tells how many nanoseconds that took. */
final class OutputProgram {
    private OutputProgram() {}

    /** A command that writes so many bytes, in lines. */
    static String lines(long bytes) {
        return "yes 'a line as programs write them, with sixty bytes, more or less' | head -c " + bytes;
    }

    public static void main(String[] arguments) throws IOException {
        long bytes = Long.parseLong(arguments[2]);
        Path worktree = Path.of(arguments[3]);
        CommandExecutor executor = Catalogue.executor(arguments[0], worktree);
        Transport done = arguments[1].equals("bash")
                ? throughTool(executor, worktree, bytes)
                : throughExecutor(executor, worktree, bytes);
        executor.close();
        if (done.bytes() != bytes) {
            throw new IOException(done.bytes() + " bytes arrived, and not " + bytes);
        }
        SmallJvm.tell((double) done.nanos());
    }

    /** What has arrived, and how long it took: a command's time or a tool's, not a session's to be opened. */
    private record Transport(long bytes, long nanos) {}

    private static Transport throughExecutor(CommandExecutor executor, Path worktree, long bytes) throws IOException {
        long start = System.nanoTime();
        ProcessLike process = executor.spawn(lines(bytes), SpawnOptions.in(worktree.toString()));
        byte[] block = new byte[1 << 16];
        long total = 0;
        try (InputStream stdout = process.stdout()) {
            for (int count = stdout.read(block); count >= 0; count = stdout.read(block)) {
                total += count;
            }
        }
        process.onSettled().toCompletableFuture().join();
        return new Transport(total, System.nanoTime() - start);
    }

    private static Transport throughTool(CommandExecutor executor, Path worktree, long bytes) throws IOException {
        AtomicReference<Transport> done = new AtomicReference<>(new Transport(0, 0));
        Path logs = Files.createTempDirectory("paddock-bench-logs-");
        try (AgentSession session = AgentSession.builder()
                .model(new Calls(lines(bytes), 1, false))
                .cwd(worktree)
                .executor(executor)
                .sessionDirectory(logs)
                .listener(event -> {
                    if (event instanceof SessionEvent.ToolEnded ended) {
                        done.set(new Transport(
                                ended.result().details().path("totalBytes").asLong(-1),
                                ended.took().toNanos()));
                    }
                })
                .build()) {
            session.prompt("Go on.");
        }
        try (Stream<Path> all = Files.walk(logs)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
        return done.get();
    }
}
