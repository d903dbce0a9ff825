package dev.paddock.executor.process.end;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.NullUnmarked;

/**
 * A future whose dependent actions run on another thread, where they may block. The completing thread wakes waiting
 * threads directly.
 *
 * @since 0.1
 */
@NullUnmarked // as the overridden methods are
public final class OffloadingFuture<T> extends CompletableFuture<T> {
    private final Executor executor;

    /**
     * Creates an incomplete future.
     *
     * @param executor runs the dependent actions
     */
    public OffloadingFuture(Executor executor) {
        this.executor = executor;
    }

    @Override
    public Executor defaultExecutor() {
        return executor;
    }

    /** Returns a copy: a caller that completes or cancels it, or adds a timeout, does not affect this future. */
    @Override
    public CompletableFuture<T> toCompletableFuture() {
        OffloadingFuture<T> copy = new OffloadingFuture<>(executor);
        CompletableFuture<T> unused = super.whenComplete((value, fault) -> {
            if (fault == null) {
                copy.complete(value);
            } else {
                copy.completeExceptionally(fault);
            }
        });
        return copy;
    }

    /** Creates dependent futures as plain ones: the thread that completes them has nothing else to do. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> next) {
        return thenApplyAsync(next, executor);
    }

    @Override
    public CompletableFuture<Void> thenAccept(Consumer<? super T> next) {
        return thenAcceptAsync(next, executor);
    }

    @Override
    public CompletableFuture<Void> thenRun(Runnable next) {
        return thenRunAsync(next, executor);
    }

    @Override
    public <U, V> CompletableFuture<V> thenCombine(
            CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> next) {
        return thenCombineAsync(other, next, executor);
    }

    @Override
    public <U> CompletableFuture<Void> thenAcceptBoth(
            CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> next) {
        return thenAcceptBothAsync(other, next, executor);
    }

    @Override
    public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable next) {
        return runAfterBothAsync(other, next, executor);
    }

    @Override
    public <U> CompletableFuture<U> applyToEither(CompletionStage<? extends T> other, Function<? super T, U> next) {
        return applyToEitherAsync(other, next, executor);
    }

    @Override
    public CompletableFuture<Void> acceptEither(CompletionStage<? extends T> other, Consumer<? super T> next) {
        return acceptEitherAsync(other, next, executor);
    }

    @Override
    public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable next) {
        return runAfterEitherAsync(other, next, executor);
    }

    @Override
    public <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> next) {
        return thenComposeAsync(next, executor);
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> next) {
        return whenCompleteAsync(next, executor);
    }

    @Override
    public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> next) {
        return handleAsync(next, executor);
    }

    @Override
    public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> next) {
        return exceptionallyAsync(next, executor);
    }

    @Override
    public CompletableFuture<T> exceptionallyCompose(Function<Throwable, ? extends CompletionStage<T>> next) {
        return exceptionallyComposeAsync(next, executor);
    }
}
