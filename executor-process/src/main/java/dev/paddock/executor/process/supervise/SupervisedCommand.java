package dev.paddock.executor.process.supervise;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.process.end.OffloadingFuture;
import dev.paddock.executor.process.end.TerminationLadder;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Supervises a command from its start to the end of its process tree. */
final class SupervisedCommand implements SupervisedProcess, TerminationLadder.Target {
    /** The first interval between checks of a tree that is being ended. */
    private static final Duration FIRST_CHECK = Duration.ofMillis(1);

    private static final Duration MAX_CHECK = Duration.ofMillis(20);

    /** The first interval between SIGKILLs to processes that survive it. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

    private final Supervisor supervisor;
    private final ChildProcess child;
    private final SpawnOptions options;
    private final ProcessTree tree;
    private final boolean keepLeftovers;
    private final TerminationLadder ladder;
    private final CompletableFuture<ExitStatus> exit;
    private final CompletableFuture<CleanupReport> settled;
    private final CompletableFuture<Boolean> treeEnd;
    private final CompletableFuture<Void> unlisten = new CompletableFuture<>();

    /** Locked while signals are sent, so that the process's pid is not released. */
    private final Object gate = new Object();

    private boolean released;

    SupervisedCommand(
            Supervisor supervisor, ChildProcess child, SpawnOptions options, ProcessTree tree, boolean keepLeftovers) {
        this.supervisor = supervisor;
        this.child = child;
        this.options = options;
        this.tree = tree;
        this.keepLeftovers = keepLeftovers;
        this.ladder = new TerminationLadder(
                this,
                supervisor::runAfter,
                new TerminationLadder.Pacing(
                        FIRST_CHECK, MAX_CHECK, supervisor.bounds().kill()));
        this.exit = new OffloadingFuture<>(supervisor::run);
        this.settled = new OffloadingFuture<>(supervisor::run);
        this.treeEnd = new OffloadingFuture<>(supervisor::run);
    }

    /** Registers for the process's exit and the abort signal, either of which may already have occurred. */
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

    @Override
    public CompletableFuture<?> onTreeEnd() {
        return treeEnd;
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
        synchronized (gate) {
            if (!released) {
                tree.terminate();
            }
        }
    }

    @Override
    public void wake() {
        send(Signal.CONT);
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
     * Ends the command's leftovers and its streams, and releases all resources, after the main process has exited. On
     * any failure the command still closes, with a notice.
     */
    private void settle() {
        List<String> faults = new ArrayList<>();
        SurvivorScan survivors = new SurvivorScan(tree);
        Optional<Throwable> unsearchable = Optional.empty();
        boolean kept = false;
        try {
            if (keepLeftovers && !supervisor.isDisposed()) {
                kept = tree.leftovers().filter(left -> !left.isEmpty()).isPresent();
            } else {
                endLeftovers(survivors);
            }
        } catch (RuntimeException | Error fault) {
            unsearchable = Optional.of(fault);
            faults.add("The processes that the command left could not be ended (" + fault + ").");
        }
        try {
            unlisten.complete(null);
            if (kept) {
                child.terminal().ifPresent(Terminal::leave);
                supervisor.keep(this);
            } else if (unsearchable.isEmpty() && survivors.anyRunning()) {
                followSurvivors();
            } else {
                release(unsearchable);
            }
        } catch (RuntimeException | Error fault) {
            faults.add("The command's streams could not be closed (" + fault + ").");
        }
        child.whenEnded(this::completeExit);
        CleanupReport ended = unsearchable.isEmpty() ? survivors.ended() : CleanupReport.NONE;
        faults.addAll(0, ended.notices());
        if (exit.isCompletedExceptionally()) {
            settled.completeExceptionally(exit.exceptionNow());
        } else {
            settled.complete(faults.isEmpty() ? ended : CleanupReport.of(ended.leftoversEnded(), faults));
        }
    }

    /** Returns the smaller of the command's grace period and a bound. */
    Duration grace(Duration most) {
        return options.killGrace().compareTo(most) < 0 ? options.killGrace() : most;
    }

    /** Ends the processes that were kept until disposal. */
    void endKept() {
        SurvivorScan survivors = new SurvivorScan(tree);
        endLeftovers(survivors);
        if (survivors.anyRunning()) {
            followSurvivors();
        } else {
            release(Optional.empty());
        }
    }

    private void release(Optional<Throwable> unsearchable) {
        synchronized (gate) {
            released = true;
        }
        child.endStreams();
        child.release();
        supervisor.forget(this, child);
        unsearchable.ifPresentOrElse(treeEnd::completeExceptionally, () -> treeEnd.complete(true));
    }

    private void endLeftovers(SurvivorScan survivors) {
        if (survivors.scan()) {
            ladder.endLeftovers(options.killGrace(), survivors::scan);
        }
    }

    /**
     * Repeats SIGKILL until the survivors have exited: they are frozen, or blocked in a file system that does not
     * answer. The main process is not reaped until then, since its pid identifies them.
     */
    private void followSurvivors() {
        child.endStreams();
        supervisor.runAfter(FIRST_PAUSE, () -> endSurvivors(FIRST_PAUSE));
    }

    private void endSurvivors(Duration pause) {
        try {
            kill();
            if (tree.leftovers().filter(left -> !left.isEmpty()).isEmpty()) {
                release(Optional.empty());
                return;
            }
        } catch (RuntimeException | Error fault) {
            release(Optional.of(fault));
            return;
        }
        Duration next = pause.multipliedBy(2).compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
        supervisor.runAfter(next, () -> endSurvivors(next));
    }

    /** Describes the processes that have not exited within ten seconds. */
    @Override
    public String describe() {
        String left = tree.leftovers()
                .filter(pids -> !pids.isEmpty())
                .map(Object::toString)
                .orElse("");
        if (child.hasEnded()) {
            return "processes " + left + " of a command that has ended";
        }
        return "process " + child.pid() + (left.isEmpty() ? "" : " and its descendants " + left);
    }
}
