package dev.paddock.executor.process.supervise;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Short waits while something is being ended. On the supervisor's threads, which nobody interrupts. */
public final class BoundedWait {

    private BoundedWait() {}

    static void millis(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Waits for an event, but not longer; whether it has come. */
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
