package dev.paddock.executor.tck.context;

import dev.paddock.executor.AbortSignal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An abort signal that counts its listeners. */
public final class CountingSignal implements AbortSignal {
    private final AbortSignal signal;
    private final AtomicInteger listeners = new AtomicInteger();

    public CountingSignal(AbortSignal signal) {
        this.signal = signal;
    }

    public int listeners() {
        return listeners.get();
    }

    @Override
    public Optional<String> reason() {
        return signal.reason();
    }

    @Override
    public Registration onAbort(Runnable listener) {
        AtomicBoolean gone = new AtomicBoolean();
        Runnable leave = () -> {
            if (!gone.getAndSet(true)) {
                listeners.decrementAndGet();
            }
        };
        listeners.incrementAndGet();
        Registration registration = signal.onAbort(() -> {
            leave.run();
            listener.run();
        });
        return () -> {
            registration.close();
            leave.run();
        };
    }
}
