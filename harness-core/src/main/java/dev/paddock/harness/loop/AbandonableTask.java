package dev.paddock.harness.loop;

import dev.paddock.executor.AbortSignal;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs foreign code (a model, a tool) on a worker. Waits without limit while its result is wanted, and only briefly
 * after an abort: code that ignores an abort must not block the session.
 */
final class AbandonableTask<T> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Future<?> task;

    private AbandonableTask(ExecutorService workers, Callable<T> code) {
        task = workers.submit(() -> complete(code));
    }

    static <T> AbandonableTask<T> start(ExecutorService workers, Callable<T> code) {
        return new AbandonableTask<>(workers, code);
    }

    private void complete(Callable<T> code) {
        try {
            result.complete(code.call());
        } catch (Throwable fault) {
            // Pass on every throwable: otherwise it would be lost with the worker.
            result.completeExceptionally(fault);
        }
    }

    /**
     * Waits for the result, or throws the code's own exception.
     *
     * @throws AbandonedException if the code did not return in time after the abort; its thread has been interrupted
     */
    T await(AbortSignal signal, Duration patience) {
        return await(signal, patience, () -> {});
    }

    /**
     * Waits for the result, as {@link #await(AbortSignal, Duration)} does. An interrupt counts as an abort:
     * {@code onInterrupt} notifies the code, it has the same time to return, and the interrupt flag is set again at the
     * end.
     */
    T await(AbortSignal signal, Duration patience, Runnable onInterrupt) {
        boolean interrupted = false;
        CompletableFuture<Void> unwanted = new CompletableFuture<>();
        AbortSignal.Registration registration = signal.onAbort(() -> unwanted.complete(null));
        try {
            while (true) {
                try {
                    CompletableFuture.anyOf(result, unwanted).get();
                    return result.isDone() ? result.get() : result.get(patience.toNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException now) {
                    interrupted = true;
                    onInterrupt.run();
                    unwanted.complete(null);
                }
            }
        } catch (ExecutionException failed) {
            throw failureOf(failed);
        } catch (TimeoutException late) {
            task.cancel(true);
            throw new AbandonedException();
        } finally {
            registration.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException failureOf(ExecutionException failed) {
        Throwable cause = failed.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }
}
