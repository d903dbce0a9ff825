package dev.paddock.executor;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Forwards every call to another process; a decorator overrides those that it changes. It has the
 * other process's streams and callbacks, with statuses that {@link #mapStatus} may change.
 *
 * @since 0.1
 */
public class ForwardingProcess implements ProcessLike {
    private final ProcessLike delegate;
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
    private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();
    private boolean connected;

    /**
     * Creates a decorator.
     *
     * @param delegate the process that receives the calls
     */
    protected ForwardingProcess(ProcessLike delegate) {
        this.delegate = delegate;
    }

    /**
     * Returns the process that receives the calls.
     *
     * @return the process
     */
    protected final ProcessLike delegate() {
        return delegate;
    }

    /**
     * Maps the other process's status to the one that this process reports. Called once, on the
     * thread that reports the exit, so it must not block; an exception completes {@link #onExit}
     * and {@link #onClosed} exceptionally.
     *
     * @param status the other process's status
     * @return the status to report; by default the same
     */
    protected ExitStatus mapStatus(ExitStatus status) {
        return status;
    }

    @Override
    public InputStream stdout() {
        return delegate.stdout();
    }

    @Override
    public InputStream stderr() {
        return delegate.stderr();
    }

    @Override
    public OutputStream stdin() {
        return delegate.stdin();
    }

    @Override
    public OptionalLong pid() {
        return delegate.pid();
    }

    @Override
    public boolean kill(Signal signal) {
        return delegate.kill(signal);
    }

    @Override
    public boolean resize(int columns, int rows) {
        return delegate.resize(columns, rows);
    }

    @Override
    public List<PublishedPort> published() {
        return delegate.published();
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        connect();
        return exit;
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        connect();
        return closed;
    }

    /** Connects at the first use, not in the constructor: {@code mapStatus} may need subclass fields. */
    private void connect() {
        synchronized (this) {
            if (connected) {
                return;
            }
            connected = true;
        }
        var unusedExit = delegate.onExit().whenComplete((status, fault) -> {
            if (fault != null) {
                exit.completeExceptionally(unwrapped(fault));
            } else {
                completeMapped(status);
            }
        });
        var unusedClose = delegate.onClosed().whenComplete((report, fault) -> {
            // Not before the exit has been reported, nor normally if that is exceptional.
            var unused = exit.whenComplete((status, lost) -> {
                if (lost != null || fault != null) {
                    closed.completeExceptionally(unwrapped(lost != null ? lost : fault));
                } else {
                    closed.complete(report);
                }
            });
        });
    }

    private void completeMapped(ExitStatus status) {
        try {
            exit.complete(mapStatus(status));
        } catch (RuntimeException | Error fault) {
            exit.completeExceptionally(new ExecutorException("the status could not be mapped: " + fault, fault));
        }
    }

    private static Throwable unwrapped(Throwable fault) {
        return fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
    }
}
