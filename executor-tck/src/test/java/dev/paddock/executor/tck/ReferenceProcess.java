package dev.paddock.executor.tck;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.context.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A command of the {@link ReferenceExecutor}. Its tree is the processes that carry its marker. */
class ReferenceProcess implements ProcessLike {
    private static final Duration BRIEF = Duration.ofMillis(100);
    private static final Duration KILLING = Duration.ofSeconds(20);

    private final Process process;
    private final SpawnOptions options;
    private final String marker;
    private final CompletableFuture<ExitStatus> exit;
    private final CompletableFuture<CleanupReport> settled;

    /** Whether an abort has sent SIGTERM to what is left at the exit. */
    private volatile boolean termSent;

    ReferenceProcess(Process process, SpawnOptions options, String marker) {
        this.process = process;
        this.options = options;
        this.marker = marker;
        if (options.stdin() == SpawnOptions.Stdin.EMPTY) {
            closeInput();
        }
        exit = process.onExit().thenApply(ended -> status(ended.exitValue()));
        // On a thread of its own: a broken settlement may block it.
        settled = exit.thenApplyAsync(
                status -> settled(endLeftovers()),
                task -> Thread.ofPlatform().daemon().name("reference settles").start(task));
    }

    private CleanupReport settled(CleanupReport ended) {
        List<String> notices = settle();
        return notices.isEmpty() ? ended : CleanupReport.of(ended.leftoversEnded(), notices);
    }

    /** Settles the worktree, of which this executor protects nothing; returns notices. */
    List<String> settle() {
        return List.of();
    }

    SpawnOptions options() {
        return options;
    }

    Process process() {
        return process;
    }

    void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    ExitStatus status(int value) {
        return ExitStatus.ofShellCode(value);
    }

    CleanupReport endLeftovers() {
        List<ProcessHandle> left = tree();
        if (left.isEmpty()) {
            return CleanupReport.ofLeftovers(0);
        }
        Set<Long> found = new LinkedHashSet<>();
        left.forEach(process -> found.add(process.pid()));
        if (!termSent) {
            send(Signal.TERM, left);
        }
        left = treeAfter(options.killGrace());
        long end = System.nanoTime() + KILLING.toNanos();
        while (!left.isEmpty() && System.nanoTime() < end) { // a process may fork while SIGKILL is sent
            left.forEach(process -> found.add(process.pid()));
            send(Signal.KILL, left);
            left = treeAfter(BRIEF);
        }
        return CleanupReport.ofLeftovers(found.size());
    }

    /** Returns the tree after a time, or once it is empty. */
    private List<ProcessHandle> treeAfter(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        List<ProcessHandle> left = tree();
        while (!left.isEmpty() && System.nanoTime() < end) {
            pause(Duration.ofMillis(10));
            left = tree();
        }
        return left;
    }

    static void pause(Duration duration) {
        CompletableFuture.runAsync(
                        () -> {}, CompletableFuture.delayedExecutor(duration.toMillis(), TimeUnit.MILLISECONDS))
                .join();
    }

    List<ProcessHandle> tree() {
        return new ArrayList<>(Processes.tagged(CommandExecutor.MARKER + "=" + marker));
    }

    void abort() {
        termSent = true;
        send(Signal.TERM, tree());
        long grace = options.killGrace().toMillis();
        CompletableFuture.delayedExecutor(grace, TimeUnit.MILLISECONDS).execute(() -> send(Signal.KILL, tree()));
    }

    void send(Signal signal, List<ProcessHandle> targets) {
        if (targets.isEmpty()) {
            return;
        }
        List<String> line = new ArrayList<>(List.of("kill", "-s", signal.name()));
        targets.forEach(target -> line.add(Long.toString(target.pid())));
        run(line);
    }

    /** Runs a program to its end. */
    static void run(List<String> argv) {
        try {
            new ProcessBuilder(argv)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Override
    public boolean kill(Signal signal) {
        if (!process.isAlive()) {
            return false;
        }
        send(signal, tree());
        return true;
    }

    @Override
    public InputStream stdout() {
        return process.getInputStream();
    }

    @Override
    public InputStream stderr() {
        return process.getErrorStream();
    }

    @Override
    public OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.of(process.pid());
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        return exit;
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return settled;
    }
}
