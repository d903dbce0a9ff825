package dev.paddock.executor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Notifies a running operation that its result is no longer wanted. The caller that aborts holds
 * the {@link AbortController}; the operation holds the signal.
 *
 * <p>A signal is aborted once and stays aborted. All methods are safe to call from any thread.
 *
 * @since 0.1
 */
public interface AbortSignal {

    /**
     * Returns whether the signal has been aborted.
     *
     * @return true from the abort on
     */
    default boolean isAborted() {
        return reason().isPresent();
    }

    /**
     * Returns the reason of the abort.
     *
     * @return a phrase for people; empty as long as the signal is not aborted
     */
    Optional<String> reason();

    /**
     * Runs a listener when the signal is aborted: exactly once, on the thread that aborts it, or at
     * once on the calling thread if the signal has already been aborted. Listeners must be short;
     * an exception of one is logged and does not prevent the others from running.
     *
     * @param listener the action to run
     * @return the registration; once it is closed, the signal no longer references the listener.
     *     Closing it again, or after the listener has run, does nothing
     */
    Registration onAbort(Runnable listener);

    /**
     * Throws if the signal has been aborted.
     *
     * @throws AbortedException with the reason
     */
    default void throwIfAborted() {
        reason().ifPresent(reason -> {
            throw new AbortedException(reason);
        });
    }

    /** The registration of a listener at a signal. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        /** Removes the listener. Idempotent; never blocks. */
        @Override
        void close();
    }

    /**
     * Returns the signal that is never aborted. It references no listener.
     *
     * @return the same signal on each call
     */
    static AbortSignal never() {
        return CombinedSignal.NEVER;
    }

    /**
     * Returns a signal that is aborted when the first of several is. It is registered at them only
     * while it has listeners itself, so that a long-lived signal does not accumulate short-lived
     * combinations.
     *
     * @param signals the signals; without any, the result is never aborted
     * @return the combination; its reason is that of the first in the list that is aborted
     */
    static AbortSignal any(AbortSignal... signals) {
        return signals.length == 0 ? never() : new CombinedSignal(List.of(signals));
    }

    /**
     * Returns a signal that is aborted when a time has passed.
     *
     * @param after the time, not negative; zero aborts at once
     * @return the signal; a timer references it until it has been aborted, so that an unused one of
     *     a long duration occupies memory
     * @throws IllegalArgumentException if the duration is negative
     */
    static AbortSignal timeout(Duration after) {
        if (after.isNegative()) {
            throw new IllegalArgumentException("timeout is negative: " + after);
        }
        AbortController controller = new AbortController();
        String reason = "timed out after " + TimeUnit.MILLISECONDS.convert(after) / 1000.0 + " s";
        if (after.isZero()) {
            controller.abort(reason);
        } else {
            long nanos = TimeUnit.NANOSECONDS.convert(after);
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(() -> controller.abort(reason));
        }
        return controller.signal();
    }
}
