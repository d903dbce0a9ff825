package dev.paddock.executor.process;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Aftermath;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A command from its hand-over to the end of its tree. */
final class SupervisedCommand implements ProcessLike {
    /** How long KILL is repeated for what does not go away: it is in the kernel's hands by then. */
    private static final long KILL_BOUND_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Supervisor supervisor;
    private final Child child;
    private final SpawnOptions options;
    private final ProcessTree tree;
    private final boolean keepLeftovers;
    private final CompletableFuture<ExitStatus> exit;
    private final CompletableFuture<Aftermath> settled;
    private final CompletableFuture<Void> unlisten = new CompletableFuture<>();

    /** Held while signals are sent, so that the process's number is not given back meanwhile. */
    private final Object gate = new Object();

    private boolean released;

    /** When TERM is followed by KILL; guarded by this. */
    private @Nullable Long killAt;

    SupervisedCommand(
            Supervisor supervisor, Child child, SpawnOptions options, ProcessTree tree, boolean keepLeftovers) {
        this.supervisor = supervisor;
        this.child = child;
        this.options = options;
        this.tree = tree;
        this.keepLeftovers = keepLeftovers;
        this.exit = new HandedOff<>(supervisor::run);
        this.settled = new HandedOff<>(supervisor::run);
    }

    /** Wires the end of the process and the abort signal, either of which may have come already. */
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
    public CompletionStage<Aftermath> onClosed() {
        return settled;
    }

    CompletableFuture<Aftermath> settled() {
        return settled;
    }

    /**
     * TERM to the tree, KILL after the grace. A second call can only shorten the grace. Returns after TERM; what follows
     * happens on other threads.
     */
    void end(Duration grace) {
        if (settled.isDone()) {
            return;
        }
        boolean first;
        synchronized (this) {
            long wanted = System.nanoTime() + grace.toNanos();
            first = killAt == null;
            if (killAt != null && killAt - wanted <= 0) {
                return;
            }
            killAt = wanted;
        }
        if (first && !grace.isZero()) {
            terminate();
        }
        supervisor.runAfter(grace, this::killUntilEnded);
    }

    private void terminate() {
        send(Signal.TERM);
        send(Signal.CONT); // a stopped process does not see TERM before
    }

    private void killUntilEnded() {
        long start = System.nanoTime();
        while (!child.hasEnded() && System.nanoTime() - start < KILL_BOUND_NANOS) {
            send(Signal.KILL);
            Pause.upTo(20, child.ended());
        }
    }

    private void completeExit(@Nullable ExitStatus status, @Nullable Throwable fault) {
        if (status != null) {
            exit.complete(status);
        } else if (fault != null) {
            exit.completeExceptionally(fault);
        }
    }

    /** After the main process's end: ends what it has left, ends the streams, gives everything back. */
    private void settle() {
        Aftermath aftermath = Aftermath.NONE;
        boolean kept = false;
        try {
            if (keepLeftovers && !supervisor.isDisposed()) {
                kept = tree.leftovers().filter(left -> !left.isEmpty()).isPresent();
            } else {
                aftermath = endLeftovers();
            }
        } finally {
            unlisten.complete(null);
            if (kept) {
                supervisor.keep(this);
            } else {
                release();
            }
            child.whenEnded(this::completeExit);
            if (exit.isCompletedExceptionally()) {
                settled.completeExceptionally(exit.exceptionNow());
            } else {
                settled.complete(aftermath);
            }
        }
    }

    /** The grace it was given, or less. */
    Duration grace(Duration most) {
        return options.killGrace().compareTo(most) < 0 ? options.killGrace() : most;
    }

    /** What was kept until disposal. */
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

    private Aftermath endLeftovers() {
        Leftovers left = new Leftovers(tree);
        if (!left.look()) {
            return left.ended();
        }
        synchronized (this) {
            if (killAt == null) {
                killAt = System.nanoTime() + options.killGrace().toNanos();
            }
        }
        terminate();
        for (long pause = 1; left.look() && System.nanoTime() - killTime() < 0; pause = Math.min(20, pause * 2)) {
            Pause.millis(pause);
        }
        long start = System.nanoTime();
        for (long pause = 1;
                left.look() && System.nanoTime() - start < KILL_BOUND_NANOS;
                pause = Math.min(20, pause * 2)) {
            send(Signal.KILL);
            Pause.millis(pause);
        }
        return left.ended();
    }

    private synchronized long killTime() {
        return killAt == null ? System.nanoTime() : killAt;
    }

    /** The last word on a command whose end was given ten seconds. */
    String describe() {
        return "process " + child.pid()
                + tree.leftovers()
                        .filter(left -> !left.isEmpty())
                        .map(left -> " and its descendants " + left)
                        .orElse("");
    }
}
