package dev.paddock.benchmarks.family;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.benchmarks.row.FileTrees;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.WorktreeGuard;
import dev.paddock.harness.tools.output.LogDirectory;
import dev.paddock.harness.tools.output.OutputCapture;
import dev.paddock.harness.tools.output.OutputPump;
import dev.paddock.harness.tools.output.Tail;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Holds the methods that JMH measures. JMH generates a class from this one that it can call:
 * {@code build/bench.sh} runs the generator.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class JvmBenchmarks {
    static final Map<String, String> LABELS = Map.of(
            "policy", "a policy for a worktree",
            "mounts", "which paths a sandbox mounts read-only",
            "look", "the looks at protected paths, before and after",
            "request", "a command and 20 variables as a command request",
            "pump", "1 MiB from a stream to its tail",
            "tail", "64 KiB of lines to a tail, as text");

    private static final int MIB = 1 << 20;

    private final byte[] lines = "a line as programs write them, with sixty bytes, more or less\n"
            .repeat(MIB / 60)
            .getBytes(UTF_8);
    private Path directory = Path.of("/");
    private Path worktree = directory;
    private LogDirectory logs = new LogDirectory(directory, 1);
    private @Nullable WorktreeGuard guard;

    /** Makes a worktree that is a repository, and guards it. */
    @Setup
    public void open() throws IOException {
        directory = Files.createTempDirectory("paddock-bench-jvm-").toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
        Files.createDirectories(worktree.resolve(".git/hooks"));
        Files.writeString(worktree.resolve(".git/config"), "[core]\n\tbare = false\n");
        guard = WorktreeGuard.open(
                worktree,
                ProtectedPaths.standard(),
                Files.createDirectory(directory.resolve("state")),
                directory.resolve("quarantine"));
        // One for all calls, as a session has one for all commands: it continues its numbering and
        // does not search for a free number. The files are kept short, since otherwise the disk
        // would be measured.
        logs = new LogDirectory(directory.resolve("logs"), 1);
    }

    /** Removes the logs of an iteration, so that the directory of the next one is no larger. */
    @TearDown(Level.Iteration)
    public void forget() throws IOException {
        FileTrees.delete(directory.resolve("logs"));
    }

    /** Removes the worktree. */
    @TearDown
    public void close() throws IOException {
        guarded().close();
        FileTrees.delete(directory);
    }

    private WorktreeGuard guarded() {
        return Objects.requireNonNull(guard);
    }

    /** Builds a policy for a worktree. */
    @Benchmark
    public SandboxPolicy policy() {
        return SandboxPolicy.builder(PathMapping.same(worktree)).build();
    }

    /** Plans the protected mounts, with which each command's sandbox is compared. */
    @Benchmark
    public ProtectionPlan mounts() {
        return guarded().plan();
    }

    /** Begins and settles the worktree's protection, for which each command waits. */
    @Benchmark
    public WorktreeGuard.Command look() {
        WorktreeGuard.Command command = guarded().begin(ProtectionPlan.NONE);
        command.settle();
        return command;
    }

    /** Encodes the command request that a stub receives. */
    @Benchmark
    public byte[] request() {
        Map<String, String> variables = new HashMap<>();
        for (int number = 0; number < 20; number++) {
            variables.put("NAME_" + number, "a value with 'quotes' and more, number " + number);
        }
        return new CommandRequest(
                        "/bin/sh",
                        "grep -rn 'needle' src | head -n 20",
                        "/work/tree",
                        variables,
                        SpawnOptions.Stdin.EMPTY,
                        SpawnOptions.Stderr.MERGED)
                .encode(CommandRequest.Transport.DESCRIPTORS);
    }

    /** Passes a command's output through the pump and the capture, including the log's file. */
    @Benchmark
    public Tail pump() {
        OutputCapture capture = new OutputCapture(logs);
        new OutputPump(new ByteArrayInputStream(lines, 0, MIB), capture, OutputPump.LARGEST_BLOCK).run();
        capture.seal();
        return capture.captured().tail();
    }

    /** Renders the tail of a short output. */
    @Benchmark
    public String tail() {
        OutputCapture capture = new OutputCapture(logs);
        capture.append(lines, OutputPump.LARGEST_BLOCK);
        return capture.soFar();
    }
}
