package dev.paddock.executor.process.end;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits briefly while a process is being ended. For the supervisor's threads, which are never interrupted.
 *
 * @since 0.1
 */
public final class BoundedWait {

    private BoundedWait() {}

    public static void millis(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Waits for an event within a bound; returns whether it has occurred. */
    public static boolean upTo(long millis, CompletableFuture<?> event) {
        try {
            event.get(Math.max(0, millis), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException failed) {
            return true;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return event.isDone();
        }
    }
}
