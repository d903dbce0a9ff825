package dev.paddock.executor.process.supervise;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Supervises a command from its start to the end of its process tree. */
final class SupervisedCommand implements ProcessLike, TerminationLadder.Target {
    private static final TerminationLadder.Pacing PACING =
            new TerminationLadder.Pacing(Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofSeconds(3));

    private final Supervisor supervisor;
    private final ChildProcess child;
    private final SpawnOptions options;
    private final ProcessTree tree;
    private final boolean keepLeftovers;
    private final TerminationLadder ladder;
    private final CompletableFuture<ExitStatus> exit;
    private final CompletableFuture<CleanupReport> settled;
    private final CompletableFuture<Void> unlisten = new CompletableFuture<>();

    /** Held while signals are sent, so that the process's pid is not released meanwhile. */
    private final Object gate = new Object();

    private boolean released;

    SupervisedCommand(
            Supervisor supervisor, ChildProcess child, SpawnOptions options, ProcessTree tree, boolean keepLeftovers) {
        this.supervisor = supervisor;
        this.child = child;
        this.options = options;
        this.tree = tree;
        this.keepLeftovers = keepLeftovers;
        this.ladder = new TerminationLadder(this, supervisor::runAfter, PACING);
        this.exit = new OffloadingFuture<>(supervisor::run);
        this.settled = new OffloadingFuture<>(supervisor::run);
    }

    /**
     * Registers for the exit of the process and for the abort signal, either of which may have
     * occurred already.
     */
    void start() {
        child.whenEnded((status, fault) -> {
            completeExit(status, fault);
            supervisor.run(this::settle);
        });
        AbortSignal.Registration registration =
                options.signal().onAbort(() -> supervisor.run(() -> end(options.killGrace())));
        CompletableFuture<Void> unused = unlisten.whenComplete((done, never) -> registration.close());
    }

    @Override
    public InputStream stdout() {
        return child.stdout();
    }

    @Override
    public InputStream stderr() {
        return child.stderr();
    }

    @Override
    public OutputStream stdin() {
        return child.stdin();
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.of(child.pid());
    }

    @Override
    public boolean kill(Signal signal) {
        return !child.hasEnded() && send(signal);
    }

    @Override
    public boolean resize(int columns, int rows) {
        TerminalSize size = new TerminalSize(columns, rows);
        return !child.hasEnded()
                && child.terminal().filter(terminal -> terminal.resize(size)).isPresent();
    }

    private boolean send(Signal signal) {
        synchronized (gate) {
            return !released && tree.signal(signal);
        }
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        return exit;
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return settled;
    }

    CompletableFuture<CleanupReport> settled() {
        return settled;
    }

    /** Sends SIGTERM to the tree, and SIGKILL after the grace period. Returns after SIGTERM. */
    void end(Duration grace) {
        if (!settled.isDone()) {
            ladder.start(grace);
        }
    }

    @Override
    public CompletableFuture<?> onEnd() {
        return child.ended();
    }

    @Override
    public void terminate() {
        send(Signal.TERM);
        send(Signal.CONT); // a stopped process does not see TERM before
    }

    @Override
    public void kill() {
        send(Signal.KILL);
    }

    private void completeExit(@Nullable ExitStatus status, @Nullable Throwable fault) {
        if (status != null) {
            exit.complete(status);
        } else if (fault != null) {
            exit.completeExceptionally(fault);
        }
    }

    /**
     * Ends the processes that the command has left, ends the streams and releases all resources,
     * after the main process has exited. Whatever fails, the command closes, with a notice.
     */
    private void settle() {
        List<String> faults = new ArrayList<>();
        CleanupReport ended = CleanupReport.NONE;
        boolean kept = false;
        try {
            if (keepLeftovers && !supervisor.isDisposed()) {
                kept = tree.leftovers().filter(left -> !left.isEmpty()).isPresent();
            } else {
                ended = endLeftovers();
            }
        } catch (RuntimeException | Error fault) {
            faults.add("The processes that the command left could not be ended (" + fault + ").");
        }
        try {
            unlisten.complete(null);
            if (kept) {
                child.terminal().ifPresent(Terminal::leave);
                supervisor.keep(this);
            } else {
                release();
            }
        } catch (RuntimeException | Error fault) {
            faults.add("The command's streams could not be closed (" + fault + ").");
        }
        child.whenEnded(this::completeExit);
        faults.addAll(0, ended.notices());
        if (exit.isCompletedExceptionally()) {
            settled.completeExceptionally(exit.exceptionNow());
        } else {
            settled.complete(faults.isEmpty() ? ended : new CleanupReport(ended.leftoversEnded(), faults));
        }
    }

    /** Returns the command's grace period, or a shorter bound. */
    Duration grace(Duration most) {
        return options.killGrace().compareTo(most) < 0 ? options.killGrace() : most;
    }

    /** Ends the processes that were kept until disposal. */
    void endKept() {
        endLeftovers();
        release();
    }

    private void release() {
        synchronized (gate) {
            released = true;
        }
        child.endStreams();
        child.release();
        supervisor.forget(this, child);
    }

    private CleanupReport endLeftovers() {
        SurvivorScan survivors = new SurvivorScan(tree);
        if (survivors.scan()) {
            ladder.endLeftovers(options.killGrace(), survivors::scan);
        }
        return survivors.ended();
    }

    /** Describes the command's remaining processes, when they have not ended within ten seconds. */
    String describe() {
        return "process " + child.pid()
                + tree.leftovers()
                        .filter(left -> !left.isEmpty())
                        .map(left -> " and its descendants " + left)
                        .orElse("");
    }
}
