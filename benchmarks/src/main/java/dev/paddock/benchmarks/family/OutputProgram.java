package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.ExecutorRow;
import dev.paddock.benchmarks.row.FileTrees;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.SessionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** Reads a command's output in this JVM and prints how many nanoseconds that took. */
final class OutputProgram {

    /** The path that the output takes. */
    enum Way {
        STREAMS("its streams"),
        BASH("bash tool");

        private final String label;

        Way(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    private OutputProgram() {}

    /** Returns a command that writes the given number of bytes, in lines. */
    static String lines(long bytes) {
        return "yes 'a line as programs write them, with sixty bytes, more or less' | head -c " + bytes;
    }

    public static void main(String[] arguments) throws IOException {
        Way way = Way.valueOf(arguments[1]);
        String command = arguments[2];
        long bytes = Long.parseLong(arguments[3]);
        Path worktree = Path.of(arguments[4]);
        Transport done;
        try (ExecutorRow opened = Catalogue.open(arguments[0], worktree, arguments[5])) {
            done = switch (way) {
                case STREAMS -> throughStreams(opened, command);
                case BASH -> throughTool(opened, worktree, command);
            };
        }
        if (done.bytes() != bytes) {
            throw new IOException(done.bytes() + " bytes arrived, and not " + bytes);
        }
        SmallJvm.print((double) done.nanos());
    }

    /**
     * The number of bytes that arrived, and the time of the command or the tool call; opening a
     * session is not included.
     */
    private record Transport(long bytes, long nanos) {}

    private static Transport throughStreams(ExecutorRow opened, String command) throws IOException {
        long start = System.nanoTime();
        ProcessLike process = opened.executor().spawn(command, SpawnOptions.in(opened.cwd()));
        byte[] block = new byte[1 << 16];
        long total = 0;
        try (InputStream stdout = process.stdout()) {
            for (int count = stdout.read(block); count >= 0; count = stdout.read(block)) {
                total += count;
            }
        }
        process.onClosed().toCompletableFuture().join();
        return new Transport(total, System.nanoTime() - start);
    }

    private static Transport throughTool(ExecutorRow opened, Path worktree, String command) throws IOException {
        AtomicReference<Transport> done = new AtomicReference<>(new Transport(-1, 0));
        Path logs = Files.createTempDirectory("paddock-bench-logs-");
        try (AgentSession session = AgentSession.builder()
                .model(new BashCallModel(command, 1, false))
                .cwd(worktree)
                .executor(opened.executor())
                .execCwd(opened.cwd())
                .sessionDirectory(logs)
                .listener(event -> {
                    if (event instanceof SessionEvent.ToolEnded ended) {
                        done.set(new Transport(
                                ended.result().details().integer("totalBytes").orElse(-1),
                                ended.took().toNanos()));
                    }
                })
                .build()) {
            session.prompt("Go on.");
        } finally {
            FileTrees.delete(logs);
        }
        return done.get();
    }
}
