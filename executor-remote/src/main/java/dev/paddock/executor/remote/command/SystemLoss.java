package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.path.FileFaults;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Records the loss of one connected system; the first recorded loss stays. Thread-safe. */
final class SystemLoss {
    private final String backend;
    private final AtomicReference<@Nullable SandboxLostException> first = new AtomicReference<>();
    private final AbortController losing = new AbortController();

    SystemLoss(String backend) {
        this.backend = backend;
    }

    /** Returns a loss for a reason; nothing is recorded. */
    SandboxLostException because(@Nullable String reason) {
        return new SandboxLostException(backend, String.valueOf(reason));
    }

    /** Returns a loss for a reason, with its cause; nothing is recorded. */
    SandboxLostException because(String reason, Throwable cause) {
        return new SandboxLostException(backend, reason, cause);
    }

    /** Returns a fault as a loss; nothing is recorded. */
    SandboxLostException of(ExecutorException fault) {
        return fault instanceof SandboxLostException known ? known : because(FileFaults.reason(fault), fault);
    }

    /** Records a loss, and aborts the signal; returns false if there was one before, which stays. */
    boolean record(SandboxLostException loss) {
        boolean recorded = first.compareAndSet(null, loss);
        if (recorded) {
            losing.abort(String.valueOf(loss.getMessage()));
        }
        return recorded;
    }

    /**
     * Records that the remote system is no longer used, unless it is lost; the signal does not report this
     * as a loss.
     *
     * @return the recorded loss
     */
    SandboxLostException giveUp() {
        SandboxLostException givenUp = because("it has been given up");
        SandboxLostException known = first.compareAndExchange(null, givenUp);
        return known == null ? givenUp : known;
    }

    /** Returns the recorded loss. */
    Optional<SandboxLostException> known() {
        return Optional.ofNullable(first.get());
    }

    /** Throws the recorded loss, if there is one. */
    void requireNone() {
        known().ifPresent(loss -> {
            throw loss;
        });
    }

    /** Returns a signal that is aborted at the loss, but not when the remote system is given up. */
    AbortSignal signal() {
        return losing.signal();
    }
}
