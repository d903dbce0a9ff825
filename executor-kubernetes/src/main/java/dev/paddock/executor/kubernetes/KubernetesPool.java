package dev.paddock.executor.kubernetes;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pods ready, so that a session need not wait for one to start. Hands out each pod once, as an executor. Pools of
 * different JVMs share nothing. Thread-safe.
 *
 * @since 0.1
 */
public final class KubernetesPool implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(KubernetesPool.class);

    private final int size;
    private final Supplier<KubernetesExecutorBuilder> options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<KubernetesExecutor> ready = new ArrayDeque<>();
    private int starting;
    private boolean closed;

    /**
     * Creates a pool, which starts creating its pods in the background.
     *
     * @param size the number of ready pods; at least 1
     * @param options makes the builder of an executor, with an image; called from the pool's threads, once for each pod
     * @throws IllegalArgumentException if the size is less than 1
     */
    public KubernetesPool(int size, Supplier<KubernetesExecutorBuilder> options) {
        if (size < 1) {
            throw new IllegalArgumentException("the number of pods to keep ready must be at least 1, not " + size);
        }
        this.size = size;
        this.options = options;
        refill();
    }

    /**
     * Takes an executor with a ready pod; if there is none, creates a pod and waits for it.
     *
     * @return the executor; the caller disposes of it
     * @throws ExecutorDisposedException if the pool is closed
     * @throws dev.paddock.executor.SandboxUnavailableException if no pod is ready and a new one does not start
     */
    public CommandExecutor take() {
        Optional<KubernetesExecutor> taken;
        lock.lock();
        try {
            if (closed) {
                throw new ExecutorDisposedException(Cluster.BACKEND);
            }
            taken = Optional.ofNullable(ready.poll());
        } finally {
            lock.unlock();
        }
        refill();
        return taken.orElseGet(() -> options.get().eager().build());
    }

    /** {@return how many pods are ready; at most the pool's size} */
    public int ready() {
        lock.lock();
        try {
            return ready.size();
        } finally {
            lock.unlock();
        }
    }

    private void refill() {
        lock.lock();
        try {
            while (!closed && ready.size() + starting < size) {
                starting++;
                DaemonThreads.virtual("paddock-kubernetes-pool").start(this::startOne);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Starts a pod. After a failure, the next call of {@link #take} tries again, and reports it. */
    private void startOne() {
        Optional<KubernetesExecutor> started = Optional.empty();
        try {
            started = Optional.of(options.get().eager().build());
        } catch (RuntimeException fault) {
            LOG.log(System.Logger.Level.WARNING, "a pod of the pool did not start", fault);
        }
        boolean kept;
        lock.lock();
        try {
            starting--;
            kept = !closed;
            if (kept) {
                started.ifPresent(ready::add);
            }
        } finally {
            lock.unlock();
        }
        if (!kept) {
            started.ifPresent(KubernetesExecutor::dispose);
        }
    }

    /**
     * Deletes the pods that were not taken, and a pod still being created once it is ready.
     *
     * @throws ExecutorException if a pod may remain in the cluster
     */
    @Override
    public void close() {
        List<KubernetesExecutor> left;
        lock.lock();
        try {
            closed = true;
            left = List.copyOf(ready);
            ready.clear();
        } finally {
            lock.unlock();
        }
        @Nullable ExecutorException fault = null;
        for (KubernetesExecutor each : left) {
            try {
                each.dispose();
            } catch (ExecutorException undisposed) {
                if (fault == null) {
                    fault = undisposed;
                } else {
                    fault.addSuppressed(undisposed);
                }
            }
        }
        if (fault != null) {
            throw fault;
        }
    }
}
