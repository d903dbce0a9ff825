package dev.paddock.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a session: steps in order, each with a deadline of its own, each run whatever became of those before. It happens
 * once, whoever asks for it and however often; all who ask wait for it.
 */
final class Teardown {
    private static final Logger LOG = LoggerFactory.getLogger(Teardown.class);

    private final List<Step> steps;
    private final Executor workers;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private boolean begun;

    Teardown(List<Step> steps, Executor workers) {
        this.steps = List.copyOf(steps);
        this.workers = workers;
    }

    /** What is done, by its name for people, how long it may take, and how. */
    record Step(String name, Duration longest, Runnable action) {}

    /** Takes the steps, or waits for whoever does. The first call reports what failed. */
    void run() {
        if (!begin()) {
            done.join();
            return;
        }
        List<RuntimeException> failures = new ArrayList<>();
        try {
            steps.forEach(step -> take(step, failures));
        } finally {
            done.complete(null);
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.getFirst();
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    private synchronized boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    private void take(Step step, List<RuntimeException> failures) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + step.longest().toNanos();
        CompletableFuture<Void> taken = CompletableFuture.runAsync(step.action(), workers);
        while (true) {
            try {
                taken.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException again) {
                // What a session owns is ended all the same: an interrupt must not leave processes behind.
                interrupted = true;
            } catch (ExecutionException failed) {
                LOG.warn("Closing the session: {} failed", step.name(), failed.getCause());
                failures.add(
                        failed.getCause() instanceof RuntimeException known
                                ? known
                                : new IllegalStateException(step.name() + " failed", failed.getCause()));
                break;
            } catch (TimeoutException late) {
                LOG.warn(
                        "Closing the session: {} took more than {} and goes on unattended",
                        step.name(),
                        step.longest());
                failures.add(new IllegalStateException("the session was closed, but " + step.name()
                        + " has not ended within " + step.longest().toMillis() / 1000.0 + " s"));
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
