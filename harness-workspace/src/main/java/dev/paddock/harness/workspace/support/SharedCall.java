package dev.paddock.harness.workspace.support;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Lets concurrent callers share one call and its result or failure. A caller that arrives after the end of the call
 * starts another. Thread-safe.
 *
 * @param <T> the result
 */
public final class SharedCall<T> {
    private Optional<CompletableFuture<T>> running = Optional.empty();

    /**
     * Makes the call, or waits for a call in progress.
     *
     * @throws InterruptedException if the thread is interrupted while it waits for another's call
     */
    public T call(Supplier<T> action) throws InterruptedException {
        CompletableFuture<T> mine = new CompletableFuture<>();
        Optional<CompletableFuture<T>> other;
        synchronized (this) {
            other = running;
            if (other.isEmpty()) {
                running = Optional.of(mine);
            }
        }
        return other.isPresent() ? result(other.get()) : make(action, mine);
    }

    private T make(Supplier<T> action, CompletableFuture<T> mine) {
        try {
            T value = action.get();
            end();
            mine.complete(value);
            return value;
        } catch (RuntimeException | Error fault) {
            end();
            mine.completeExceptionally(fault);
            throw fault;
        }
    }

    private synchronized void end() {
        running = Optional.empty();
    }

    private static <T> T result(CompletableFuture<T> other) throws InterruptedException {
        try {
            return other.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException known ? known : new IllegalStateException(failed);
        }
    }
}
