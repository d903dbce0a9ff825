package dev.paddock.executor;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Decides when a pump need not read on after its command has been closed. What the command wrote is in
 * the pipe, but a process that escaped may hold the pipe open for ever.
 *
 * <p>Times are counted in looks at the pump, each for {@link #LOOK} at most: if the JVM stands still for
 * long, so does the pump, and its silence says nothing about the pipe.
 */
final class PumpDrain {
    /** The time between two looks. */
    static final long LOOK = TimeUnit.MILLISECONDS.toNanos(60);

    /** Without output for so long, a process that escaped holds the pipe. */
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);

    /** The pump waits no longer than this for output in all… */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(2);

    /** …and reads no more than this after that time. */
    private static final long MOST = 1 << 20;

    private final Supplier<RunPump.State> pump;
    private final long bytesBefore;
    private RunPump.State last;
    private long lookedAt;
    private long quiet;
    private long waited;
    private long passed;

    PumpDrain(Supplier<RunPump.State> pump, long now) {
        this.pump = pump;
        last = pump.get();
        bytesBefore = last.bytes();
        lookedAt = now;
    }

    /** Looks at the pump, and returns whether it has read everything, or has waited long enough. */
    boolean isOver(long now) {
        RunPump.State state = pump.get();
        long counted = Math.min(now - lookedAt, LOOK);
        boolean silent = state.waiting() && state.reads() == last.reads();
        quiet = silent ? quiet + counted : 0;
        waited += state.waiting() ? counted : 0;
        passed += counted;
        last = state;
        lookedAt = now;
        return state.ended()
                || quiet >= QUIET
                || waited >= LONGEST
                || (passed >= LONGEST && state.bytes() - bytesBefore > MOST);
    }
}
