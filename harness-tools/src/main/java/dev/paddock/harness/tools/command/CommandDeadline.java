package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Merges the two reasons to terminate a command early, abort and timeout, into the one signal that
 * the executor receives, and records when it fired.
 */
final class CommandDeadline implements AutoCloseable {
    private final AbortSignal wanted;
    private final AbortController deadline = new AbortController();
    private final AbortSignal either;
    private final CompletableFuture<Long> at = new CompletableFuture<>();
    private final AbortSignal.Registration registration;
    private Future<?> timer = CompletableFuture.completedFuture(null);

    CommandDeadline(AbortSignal wanted) {
        this.wanted = wanted;
        this.either = AbortSignal.any(wanted, deadline.signal());
        this.registration = either.onAbort(() -> at.complete(System.nanoTime()));
    }

    AbortSignal signal() {
        return either;
    }

    /**
     * Schedules the timeout. The abort runs on a worker thread: the executor may need a round trip
     * for it, which would block the clock thread.
     */
    void after(Duration timeout, ScheduledExecutorService clock, Executor workers) {
        timer = clock.schedule(
                () -> workers.execute(() -> deadline.abort("timed out")), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    void now(String reason) {
        deadline.abort(reason);
    }

    /** Returns a future that completes with {@link System#nanoTime()} when the signal fires. */
    CompletableFuture<Long> at() {
        return at;
    }

    boolean aborted() {
        return wanted.aborted();
    }

    boolean timedOut() {
        return deadline.signal().aborted();
    }

    @Override
    public void close() {
        timer.cancel(false);
        registration.close();
    }
}
