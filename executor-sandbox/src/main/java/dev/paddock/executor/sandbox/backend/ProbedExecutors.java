package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The executors that a probe has created, so that a hung probe leaves no process, cgroup or file behind. Thread-safe.
 */
final class ProbedExecutors {
    /** Bounds the wait for the end of an abandoned probe; its caller already has an answer. */
    private static final Duration DISPOSAL = Duration.ofSeconds(3);

    private static final System.Logger LOG = LateLogger.of(ProbedExecutors.class);

    private final List<AutoCloseable> created = new ArrayList<>();
    private boolean isAbandoned;

    /**
     * Creates an executor, to be closed if the probe is abandoned, even during the creation.
     *
     * @param creation creates it
     * @return the executor, which the caller closes, too
     * @throws ExecutorException if the probe has been abandoned
     */
    CommandExecutor create(Supplier<CommandExecutor> creation) {
        CommandExecutor executor = ExecutorParts.observed(this::keep, creation);
        keep(executor);
        return executor;
    }

    private void keep(AutoCloseable closeable) {
        synchronized (created) {
            if (!isAbandoned) {
                created.add(closeable);
                return;
            }
        }
        close(closeable);
        throw new ExecutorException("the probe has been abandoned");
    }

    boolean isAbandoned() {
        synchronized (created) {
            return isAbandoned;
        }
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception fault) { // the probe has failed already, and nothing else runs in it
            LOG.log(System.Logger.Level.DEBUG, "The executor of an abandoned probe could not be closed", fault);
        }
    }

    /**
     * Closes the executors, which unblocks the probe, and waits a while until the probe has removed its files.
     *
     * @param probe completes when the probe has ended
     */
    void abandon(CompletableFuture<?> probe) {
        List<AutoCloseable> open;
        synchronized (created) {
            isAbandoned = true;
            open = new ArrayList<>(created).reversed();
        }
        DaemonThreads.platform("paddock-probe-disposal").start(() -> open.forEach(ProbedExecutors::close));
        try {
            probe.get(DISPOSAL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException expected) {
            LOG.log(System.Logger.Level.DEBUG, "An abandoned probe ended with its executor", expected);
        } catch (TimeoutException hangs) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A probe that did not answer has not ended; 'paddock gc' ends the processes that it has started.");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
