package dev.paddock.harness;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.events.RunOutcome;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tracks a session's current work: at most one run, and any number of direct calls. No work begins after
 * {@link #close}. Thread-safe.
 */
final class SessionWork {
    private final Object lock = new Object();
    private final Set<Call> calls = new HashSet<>();
    private final AbortController closing = new AbortController();
    /**
     * The abort controller of the current run or, without one, of the previous run: if that run was
     * aborted, the wait for listeners is shortened as well.
     */
    private AbortController lastRun = new AbortController();

    private @Nullable Run current;
    private volatile boolean closed;

    record Run(AbortController abort, CompletableFuture<RunOutcome> outcome) {}

    /** A direct call; a class, since the set needs identity, and a future has no {@code equals}. */
    private static final class Call {
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
    }

    /**
     * Starts the run.
     *
     * @throws IllegalStateException if another one is in progress, or the session is closed
     */
    Run begin(Function<AbortSignal, RunOutcome> work, Executor workers) {
        synchronized (lock) {
            requireOpen();
            if (current != null) {
                throw new IllegalStateException(
                        "the session is at work on an earlier prompt; wait for it, abort it, or steer");
            }
            Run run = new Run(new AbortController(), new CompletableFuture<>());
            current = run;
            lastRun = run.abort();
            workers.execute(() -> work(work, run));
            return run;
        }
    }

    private void work(Function<AbortSignal, RunOutcome> work, Run run) {
        Optional<RunOutcome> outcome = Optional.empty();
        try {
            outcome = Optional.of(work.apply(run.abort().signal()));
        } finally {
            synchronized (lock) {
                current = null;
            }
            outcome.ifPresentOrElse(
                    run.outcome()::complete,
                    () -> run.outcome().completeExceptionally(new IllegalStateException("see the log")));
        }
    }

    /**
     * Makes a direct call.
     *
     * @param work receives a signal that is aborted with the given one, and at the end of the session
     * @throws IllegalStateException if the session is closed
     */
    <T> T call(Function<AbortSignal, T> work, AbortSignal signal) {
        Call call = new Call();
        synchronized (lock) {
            requireOpen();
            calls.add(call);
        }
        try {
            return work.apply(AbortSignal.any(signal, closing.signal()));
        } finally {
            synchronized (lock) {
                calls.remove(call);
            }
            call.ended.complete(null);
        }
    }

    /** Runs an action that must not block; the session stays open meanwhile. */
    void whileOpen(Runnable action) {
        synchronized (lock) {
            requireOpen();
            action.run();
        }
    }

    <T> T whileOpen(Supplier<T> action) {
        synchronized (lock) {
            requireOpen();
            return action.get();
        }
    }

    /**
     * Runs an action during which no run and no call can begin.
     *
     * @throws IllegalStateException if one is in progress, or the session is closed
     */
    void whileIdle(Runnable action) {
        synchronized (lock) {
            requireOpen();
            if (current != null || !calls.isEmpty()) {
                throw new IllegalStateException(
                        "the session's tools are at work; suspend the workspace when they have ended");
            }
            action.run();
        }
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    AbortController lastRun() {
        synchronized (lock) {
            return lastRun;
        }
    }

    /** Prevents further runs and calls. */
    void close() {
        synchronized (lock) {
            closed = true;
        }
    }

    /** Aborts the run and the direct calls, and waits for their end. */
    void end(String reason) {
        Optional<Run> run;
        synchronized (lock) {
            run = Optional.ofNullable(current);
        }
        run.ifPresent(one -> one.abort().abort(reason));
        closing.abort(reason);
        run.ifPresent(one -> one.outcome().exceptionally(failed -> null).join());
        List<Call> last;
        synchronized (lock) {
            last = List.copyOf(calls);
        }
        last.forEach(call -> call.ended.join());
    }
}
