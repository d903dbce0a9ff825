package dev.paddock.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A signal that is aborted with the first of several signals; without any, one that is never
 * aborted.
 */
final class CombinedSignal implements AbortSignal {
    static final AbortSignal NEVER = new CombinedSignal(List.of());

    private final List<AbortSignal> signals;

    CombinedSignal(List<AbortSignal> signals) {
        this.signals = signals;
    }

    @Override
    public Optional<String> reason() {
        return signals.stream().flatMap(signal -> signal.reason().stream()).findFirst();
    }

    @Override
    public Registration onAbort(Runnable listener) {
        AtomicBoolean ran = new AtomicBoolean();
        Runnable once = () -> {
            if (!ran.getAndSet(true)) {
                listener.run();
            }
        };
        List<Registration> registrations = new ArrayList<>();
        for (AbortSignal signal : signals) {
            registrations.add(signal.onAbort(once));
        }
        return () -> registrations.forEach(Registration::close);
    }
}
