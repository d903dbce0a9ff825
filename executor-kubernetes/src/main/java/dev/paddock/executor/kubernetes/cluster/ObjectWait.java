package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** Waits until an object of the cluster is in a state. */
final class ObjectWait {
    private final Cluster cluster;
    private final String what;
    private final AbortSignal signal;

    /**
     * Creates a wait.
     *
     * @param what the objects of this kind, for messages: {@code pods in the namespace 'x'}
     * @param signal aborts it
     */
    ObjectWait(Cluster cluster, String what, AbortSignal signal) {
        this.cluster = cluster;
        this.what = what;
        this.signal = signal;
    }

    /**
     * Waits for one object.
     *
     * @param isSettled called with each state of the object
     * @return the object in a settled state; empty if it existed and was deleted
     * @throws TimeoutException if the bound is exceeded
     * @throws dev.paddock.executor.SandboxUnavailableException if the server refuses
     * @throws AbortedException if the signal has aborted the wait
     */
    <T> Optional<T> until(Informable<T> object, Predicate<T> isSettled, Duration bound) throws TimeoutException {
        AtomicBoolean existed = new AtomicBoolean(); // the server's cache may lack a new object
        CompletableFuture<List<T>> seen = object.informOnCondition(all -> {
            if (all.isEmpty()) {
                return existed.get();
            }
            existed.set(true);
            return isSettled.test(all.get(0));
        });
        AbortSignal.Registration abort = signal.onAbort(() -> seen.cancel(true));
        try {
            return seen.orTimeout(Math.max(1, bound.toMillis()), TimeUnit.MILLISECONDS).join().stream()
                    .findFirst();
        } catch (CancellationException aborted) {
            throw new AbortedException("aborted while waiting for " + what);
        } catch (CompletionException fault) {
            seen.cancel(true);
            if (fault.getCause() instanceof TimeoutException late) {
                throw late;
            }
            throw fault.getCause() instanceof KubernetesClientException refusal
                    ? cluster.refused("list and watch " + what, refusal)
                    : fault;
        } finally {
            abort.close();
        }
    }
}
