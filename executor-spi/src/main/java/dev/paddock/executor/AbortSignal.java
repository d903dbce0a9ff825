package dev.paddock.executor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Tells a running operation that its result is no longer wanted. The side that gives up holds the {@link AbortController};
 * the side that works holds the signal.
 *
 * <p>A signal is aborted once and for good. All methods are safe to call from any thread.
 */
public interface AbortSignal {

    /**
     * Whether the signal has been aborted.
     *
     * @return true from the abort on
     */
    default boolean aborted() {
        return reason().isPresent();
    }

    /**
     * Why it was aborted.
     *
     * @return a phrase for people; empty as long as the signal is not aborted
     */
    Optional<String> reason();

    /**
     * Runs a listener when the signal is aborted: exactly once, on the thread that aborts; at once, on the calling thread,
     * if it is aborted already. Listeners are to be short; one that throws is logged and does not keep the others from
     * running.
     *
     * @param listener what to run
     * @return closes the registration; after that the signal does not hold the listener any more. Closing it again, or
     *     after the listener has run, does nothing
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

    /** A listener's place at a signal. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        /** Removes the listener. Idempotent; never blocks. */
        @Override
        void close();
    }

    /**
     * The signal that is never aborted. It holds no listener.
     *
     * @return the same signal on each call
     */
    static AbortSignal never() {
        return CombinedSignal.NEVER;
    }

    /**
     * A signal that is aborted when the first of several is. It listens to them only while it is listened to itself, so
     * that a long-lived signal does not collect short-lived combinations.
     *
     * @param signals the signals; none makes a signal that is never aborted
     * @return the combination; its reason is that of the first in the list that is aborted
     */
    static AbortSignal any(AbortSignal... signals) {
        return signals.length == 0 ? never() : new CombinedSignal(List.of(signals));
    }

    /**
     * A signal that aborts itself after a while.
     *
     * @param after how long, not negative; zero aborts at once
     * @return the signal; it is held until it has aborted, so that an unused one of a long duration occupies memory
     * @throws IllegalArgumentException if the duration is negative
     */
    static AbortSignal timeout(Duration after) {
        if (after.isNegative()) {
            throw new IllegalArgumentException("timeout is negative: " + after);
        }
        AbortController controller = new AbortController();
        String reason = "timed out after " + after.toMillis() / 1000.0 + " s";
        if (after.isZero()) {
            controller.abort(reason);
        } else {
            long nanos = TimeUnit.NANOSECONDS.convert(after);
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(() -> controller.abort(reason));
        }
        return controller.signal();
    }
}
