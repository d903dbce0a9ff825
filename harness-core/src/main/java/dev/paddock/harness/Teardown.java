package dev.paddock.harness;

import dev.paddock.executor.log.LateLogger;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the closing steps of a session once, in order, each with its own deadline and regardless of earlier failures.
 * Every caller waits for the single execution.
 */
final class Teardown {
    private static final Logger LOG = LateLogger.of(Teardown.class);

    private final List<Step> steps;
    private final Executor workers;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private boolean begun;

    Teardown(List<Step> steps, Executor workers) {
        this.steps = List.copyOf(steps);
        this.workers = workers;
    }

    record Step(String name, Duration longest, Runnable action) {}

    /**
     * Runs the steps, or waits for the thread that does. Only the first call throws the failures.
     */
    void run() {
        if (!begin()) {
            done.join();
            return;
        }
        List<SessionCloseException> failures = new ArrayList<>();
        try {
            steps.forEach(step -> take(step, failures));
        } finally {
            done.complete(null);
        }
        if (!failures.isEmpty()) {
            SessionCloseException first = failures.getFirst();
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    private synchronized boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    private void take(Step step, List<SessionCloseException> failures) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + step.longest().toNanos();
        CompletableFuture<Void> taken = CompletableFuture.runAsync(step.action(), workers);
        while (true) {
            try {
                taken.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException again) {
                // The steps continue: an interrupt must not leave processes behind.
                interrupted = true;
            } catch (ExecutionException failed) {
                Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
                LOG.log(Level.WARNING, "Closing the session: " + step.name() + " failed", cause);
                failures.add(new SessionCloseException(
                        "the session was closed, but " + step.name() + " failed: " + cause.getMessage(), cause));
                break;
            } catch (TimeoutException late) {
                LOG.log(
                        Level.WARNING,
                        "Closing the session: " + step.name() + " took more than " + step.longest()
                                + " and continues in the background");
                failures.add(new SessionCloseException("the session was closed, but " + step.name()
                        + " has not ended within " + step.longest().toMillis() / 1000.0 + " s"));
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
