package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.path.FileFaults;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Records the first loss of one connected system. Thread-safe. */
final class SystemLoss {
    private final String backend;
    private final AtomicReference<@Nullable SandboxLostException> first = new AtomicReference<>();
    private final AbortController losing = new AbortController();

    SystemLoss(String backend) {
        this.backend = backend;
    }

    /** Returns a loss for a reason, without recording it. */
    SandboxLostException because(@Nullable String reason) {
        return new SandboxLostException(backend, String.valueOf(reason));
    }

    /** Returns a loss for a reason, with its cause, without recording it. */
    SandboxLostException because(String reason, Throwable cause) {
        return new SandboxLostException(backend, reason, cause);
    }

    /** Returns a fault as a loss, without recording it. */
    SandboxLostException of(ExecutorException fault) {
        return fault instanceof SandboxLostException known ? known : because(FileFaults.reason(fault), fault);
    }

    /** Records a loss, and aborts the signal; returns false if an earlier one stays. */
    boolean record(SandboxLostException loss) {
        boolean recorded = first.compareAndSet(null, loss);
        if (recorded) {
            losing.abort(String.valueOf(loss.getMessage()));
        }
        return recorded;
    }

    /**
     * Records that the remote system is no longer used, unless it is lost; the signal does not report this as a loss.
     *
     * @return the recorded loss
     */
    SandboxLostException giveUp() {
        SandboxLostException givenUp = because("it has been given up");
        SandboxLostException known = first.compareAndExchange(null, givenUp);
        return known == null ? givenUp : known;
    }

    Optional<SandboxLostException> known() {
        return Optional.ofNullable(first.get());
    }

    void requireNone() {
        known().ifPresent(loss -> {
            throw loss;
        });
    }

    /** Returns a signal that is aborted at the loss, but not by {@link #giveUp}. */
    AbortSignal signal() {
        return losing.signal();
    }
}
