package dev.paddock.executor;

import dev.paddock.executor.log.LateLogger;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Aborts the {@link AbortSignal} that it owns. Safe to use from any thread.
 *
 * @since 0.1
 */
public final class AbortController {
    private static final Logger LOG = LateLogger.of(AbortController.class);

    private final Source source = new Source();

    /** Creates a controller whose signal is not aborted. */
    public AbortController() {}

    /**
     * Returns the signal to pass to the operation that is to be abortable.
     *
     * @return the same signal on each call
     */
    public AbortSignal signal() {
        return source;
    }

    /** Aborts the signal with the reason {@code "aborted"}. */
    public void abort() {
        abort("aborted");
    }

    /**
     * Aborts the signal and runs its listeners on this thread, in the order of their registration.
     * A second call does nothing: the first reason stays.
     *
     * @param reason the reason, as a phrase for people
     */
    public void abort(String reason) {
        for (Runnable listener : source.abort(reason)) {
            runIsolated(listener);
        }
    }

    private static void runIsolated(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException fault) {
            LOG.log(Level.WARNING, "An abort listener failed; the remaining listeners still run", fault);
        }
    }

    private static final class Source implements AbortSignal {
        private final Map<Registration, Runnable> listeners = new LinkedHashMap<>();
        private Optional<String> reason = Optional.empty();

        synchronized List<Runnable> abort(String why) {
            if (reason.isPresent()) {
                return List.of();
            }
            reason = Optional.of(why);
            List<Runnable> toRun = new ArrayList<>(listeners.values());
            listeners.clear();
            return toRun;
        }

        @Override
        public synchronized Optional<String> reason() {
            return reason;
        }

        @Override
        public Registration onAbort(Runnable listener) {
            synchronized (this) {
                if (reason.isEmpty()) {
                    Registration registration = new Registration() {
                        @Override
                        public void close() {
                            remove(this);
                        }
                    };
                    listeners.put(registration, listener);
                    return registration;
                }
            }
            runIsolated(listener);
            return () -> {};
        }

        private synchronized void remove(Registration registration) {
            listeners.remove(registration);
        }
    }
}
