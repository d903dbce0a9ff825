package dev.paddock.executor;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Decides when a pump may stop after its command has closed. The command's output is in the pipe by
 * then, but an escaped process may keep the pipe open forever.
 *
 * <p>Counts at most {@link #POLL_NANOS} for each poll, not wall time, so that a paused JVM does not look
 * like an idle pipe.
 */
final class PumpDrain {
    /** The poll interval. */
    static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    /** After this long without output, an escaped process is assumed to hold the pipe. */
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);

    /** The longest time that the pump may wait for output in total. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The most bytes that the pump reads if it takes longer than {@link #MAX_WAIT_NANOS}. */
    private static final long MAX_BYTES = 1 << 20;

    private final Supplier<RunPump.State> pump;
    private final long bytesBefore;
    private RunPump.State last;
    private long polledAt;
    private long quiet;
    private long waited;
    private long passed;

    PumpDrain(Supplier<RunPump.State> pump, long now) {
        this.pump = pump;
        last = pump.get();
        bytesBefore = last.bytes();
        polledAt = now;
    }

    /** Polls the pump; returns whether it has read everything, or waited long enough. */
    boolean isOver(long now) {
        RunPump.State state = pump.get();
        long counted = Math.min(now - polledAt, POLL_NANOS);
        boolean silent = state.waiting() && state.reads() == last.reads();
        quiet = silent ? quiet + counted : 0;
        waited += state.waiting() ? counted : 0;
        passed += counted;
        last = state;
        polledAt = now;
        return state.ended()
                || quiet >= QUIET
                || waited >= MAX_WAIT_NANOS
                || (passed >= MAX_WAIT_NANOS && state.bytes() - bytesBefore > MAX_BYTES);
    }
}
