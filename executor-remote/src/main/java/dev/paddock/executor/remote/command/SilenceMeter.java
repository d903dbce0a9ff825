package dev.paddock.executor.remote.command;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Measures how long none of the pending calls has been answered. */
final class SilenceMeter {
    private int pending;
    private long since;

    /** Counts a call as pending until it completes, in any way. */
    <T> CompletableFuture<T> during(CompletableFuture<T> call) {
        synchronized (this) {
            if (pending++ == 0) {
                since = System.nanoTime();
            }
        }
        return call.whenComplete((answer, fault) -> answered());
    }

    private synchronized void answered() {
        pending--;
        since = System.nanoTime();
    }

    /** Returns the time since the last answer or the first pending call; zero if none is pending. */
    synchronized Duration length() {
        return pending == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }
}
