package dev.paddock.executor.docker.engine;

import dev.paddock.executor.os.io.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Bounds the total wait for several calls to the engine. After the bound, the calls continue in the background until
 * their own timeouts.
 */
public final class BoundedCall {
    private BoundedCall() {}

    /**
     * Runs an action on another thread.
     *
     * @return its result; an exception or error of the action is thrown as it is
     * @throws TimeoutException if it takes longer than the bound
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static <T> T within(Duration bound, Supplier<T> action) throws TimeoutException, InterruptedException {
        CompletableFuture<T> result = new CompletableFuture<>();
        DaemonThreads.virtual("paddock-docker-bounded").start(() -> {
            try {
                result.complete(action.get());
            } catch (RuntimeException | Error fault) {
                result.completeExceptionally(fault);
            }
        });
        try {
            return result.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException fault) {
            Throwable cause = result.exceptionNow();
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof RuntimeException known ? known : new IllegalStateException(fault);
        }
    }
}
