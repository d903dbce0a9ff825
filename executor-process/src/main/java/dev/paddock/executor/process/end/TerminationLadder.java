package dev.paddock.executor.process.end;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends one command's process tree: SIGTERM, a grace period, then SIGKILL until the tree has ended. Abort, disposal and
 * the cleanup of leftovers share one ladder, so that the tree gets one grace period and one SIGTERM: many programs stop
 * cleaning up at a second one.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class TerminationLadder {
    private final Target target;
    private final Scheduler scheduler;
    private final Pacing pacing;

    /** The {@link System#nanoTime} at which SIGKILL starts; guarded by this. */
    private @Nullable Long killAt;

    /** Whether SIGTERM was sent, or is about to be; guarded by this. */
    private boolean termSent;

    public interface Target {

        /**
         * Returns a future for the exit of the main process, or of more of the tree.
         *
         * @return completes then, normally or exceptionally
         */
        CompletableFuture<?> onEnd();

        /** Sends SIGTERM to the tree. Bounded. */
        void terminate();

        /** Sends SIGCONT after SIGTERM, which a stopped process does not handle. Bounded. */
        void wake();

        /** Sends SIGKILL to the tree. Bounded. */
        void kill();
    }

    /** Runs tasks on threads that may block. */
    @FunctionalInterface
    public interface Scheduler {
        /**
         * Runs a task once.
         *
         * @param delay the wait before it
         * @param task the task
         */
        void runAfter(Duration delay, Runnable task);
    }

    /**
     * The intervals at which the tree is checked.
     *
     * @param first the first pause; each further one is twice as long
     * @param longest the longest pause
     * @param killBound how long SIGKILL is repeated; processes that survive it are blocked in the kernel
     */
    public record Pacing(Duration first, Duration longest, Duration killBound) {}

    /**
     * Creates a ladder, without sending a signal.
     *
     * @param target the tree
     * @param scheduler runs the step after the grace period
     * @param pacing the intervals at which the tree is checked
     */
    public TerminationLadder(Target target, Scheduler scheduler, Pacing pacing) {
        this.target = target;
        this.scheduler = scheduler;
        this.pacing = pacing;
    }

    /**
     * Sends SIGTERM, schedules SIGKILL after the grace period, and returns. A second call can only shorten the grace
     * period.
     *
     * @param grace the time for the tree to end by itself; zero sends SIGKILL alone
     */
    public void start(Duration grace) {
        long wanted = System.nanoTime() + grace.toNanos();
        boolean sendsTerm;
        synchronized (this) {
            if (killAt != null && killAt - wanted <= 0) {
                return;
            }
            sendsTerm = killAt == null && !grace.isZero();
            termSent |= sendsTerm;
            killAt = wanted;
        }
        if (sendsTerm) {
            target.terminate();
        }
        long left = Math.max(0, wanted - System.nanoTime()); // sending SIGTERM takes a part of the grace period
        scheduler.runAfter(Duration.ofNanos(left), this::killUntilEnded);
    }

    private void killUntilEnded() {
        long start = System.nanoTime();
        while (!target.onEnd().isDone()) {
            target.kill(); // before checking the time: the JVM may have been paused for longer than the bound
            BoundedWait.upTo(pacing.longest().toMillis(), target.onEnd());
            if (!isWithinKillBound(start)) {
                return;
            }
        }
    }

    /**
     * Ends the leftovers of a command whose main process has exited; only call it if there are any. Returns when none
     * is left or they cannot be ended. Does not restart a grace period that has begun.
     *
     * @param grace how long they have to end by themselves
     * @param anyLeft searches for leftovers; returns false if there are none
     */
    public void endLeftovers(Duration grace, BooleanSupplier anyLeft) {
        long deadline;
        boolean sendsTerm;
        synchronized (this) {
            if (killAt == null) {
                killAt = System.nanoTime() + grace.toNanos();
            }
            deadline = killAt;
            sendsTerm = !termSent;
            termSent = true;
        }
        if (sendsTerm) {
            target.terminate();
        } else {
            target.wake();
        }
        Pauses patient = new Pauses();
        while (anyLeft.getAsBoolean() && System.nanoTime() - killTime(deadline) < 0) {
            patient.pause();
        }
        long start = System.nanoTime();
        Pauses impatient = new Pauses();
        while (anyLeft.getAsBoolean()) {
            target.kill();
            impatient.pause();
            if (!isWithinKillBound(start)) {
                return;
            }
        }
    }

    private synchronized long killTime(long otherwise) {
        return killAt == null ? otherwise : killAt;
    }

    private boolean isWithinKillBound(long start) {
        return System.nanoTime() - start < pacing.killBound().toNanos();
    }

    private final class Pauses {
        private long millis = pacing.first().toMillis();

        void pause() {
            BoundedWait.millis(millis);
            millis = Math.min(pacing.longest().toMillis(), millis * 2);
        }
    }
}
