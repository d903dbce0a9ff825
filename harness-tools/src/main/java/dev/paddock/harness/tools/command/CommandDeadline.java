package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The two reasons to end a command early, as the one signal that the executor gets, and when it came. */
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

    /** Ends the command after a while. On a worker: an executor may need a round trip for it, and the clock has no time. */
    void after(Duration timeout, ScheduledExecutorService clock, Executor workers) {
        timer = clock.schedule(
                () -> workers.execute(() -> deadline.abort("timed out")), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    void now(String reason) {
        deadline.abort(reason);
    }

    /** Completes with {@link System#nanoTime()} when the command is to be ended. */
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
