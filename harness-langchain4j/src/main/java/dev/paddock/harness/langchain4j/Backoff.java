package dev.paddock.harness.langchain4j;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.harness.model.ModelException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether and when a failed turn is retried.
 *
 * @param retries the maximum number of retries
 * @param first the first wait; each further one is twice as long, plus or minus up to 25 percent
 */
record Backoff(int retries, Duration first) {
    /**
     * The longest wait: for a longer one that the provider asks for, the failure is reported
     * instead.
     */
    static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /**
     * Returns how long to wait before the turn is retried.
     *
     * @param fault why the turn failed
     * @param tries how many attempts were made so far, 1 or more
     * @param hasAnswered whether the provider has ever answered: if it never has, the address is
     *     probably wrong
     * @return empty if the turn is not to be retried
     */
    Optional<Duration> after(ModelException fault, int tries, boolean hasAnswered) {
        boolean isWrongAddress = fault.kind() == ModelException.Kind.UNREACHABLE && !hasAnswered;
        if (isWrongAddress || tries > most(fault)) {
            return Optional.empty();
        }
        Optional<Duration> asked = fault.retryAfter();
        return asked.isPresent() ? asked.filter(wait -> wait.compareTo(MAX_WAIT) <= 0) : Optional.of(growing(tries));
    }

    /** Returns the maximum number of retries for a failure. */
    int most(ModelException fault) {
        return switch (fault.kind()) {
            case RATE_LIMITED, OVERLOADED, BROKEN_STREAM, UNREACHABLE -> retries;
            case TIMED_OUT -> Math.min(1, retries);
            case AUTHENTICATION, OUT_OF_CREDIT, CONTEXT_TOO_LONG, CUT_OFF, REFUSED, NOT_FOUND -> 0;
        };
    }

    private Duration growing(int tries) {
        Duration doubled = first.multipliedBy(1L << Math.min(tries - 1, 10));
        Duration wait = doubled.compareTo(MAX_WAIT) < 0 ? doubled : MAX_WAIT;
        return wait.multipliedBy(ThreadLocalRandom.current().nextInt(75, 126)).dividedBy(100);
    }

    /**
     * Waits.
     *
     * @throws AbortedException if the signal is aborted meanwhile, or the thread interrupted
     */
    static void pause(Duration wait, AbortSignal signal) {
        CountDownLatch unwanted = new CountDownLatch(1);
        AbortSignal.Registration registration = signal.onAbort(unwanted::countDown);
        try {
            boolean unused = unwanted.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException sessionEnds) {
            Thread.currentThread().interrupt();
            throw new AbortedException("the session ends");
        } finally {
            registration.close();
        }
        signal.throwIfAborted();
    }
}
