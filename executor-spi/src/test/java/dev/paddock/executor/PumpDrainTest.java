package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Tests for how long a run waits for the output of a closed command. */
class PumpDrainTest {
    private static final long SILENT_POLLS = 5;
    private static final long MAX_POLLS = 40;

    private RunPump.State state = waiting(0);
    private long now;

    private static RunPump.State waiting(long reads) {
        return new RunPump.State(false, true, reads, 0);
    }

    /** Begins to wait for a pump that has come so far. */
    private PumpDrain drain(RunPump.State begun) {
        state = begun;
        return new PumpDrain(() -> state, now);
    }

    /** Polls until the drain is over, with the pump in the given state at each poll; returns how often. */
    private long polls(PumpDrain drain, LongFunction<RunPump.State> at) {
        for (long poll = 1; poll < MAX_POLLS; poll++) {
            state = at.apply(poll);
            now += PumpDrain.POLL_NANOS;
            if (drain.isOver(now)) {
                return poll;
            }
        }
        return MAX_POLLS;
    }

    @Test
    void silentPumpIsOverAfterSomePolls() {
        assertThat(polls(drain(waiting(3)), poll -> waiting(3))).isEqualTo(SILENT_POLLS);
    }

    /** The pump's thread was paused, too, so the content of the pipe has not been read. */
    @Test
    void timeInWhichJvmIsPausedIsNoSilence() {
        PumpDrain drain = drain(waiting(3));
        now += TimeUnit.MINUTES.toNanos(1);
        assertThat(drain.isOver(now)).isFalse();
        assertThat(polls(drain, poll -> waiting(3))).isEqualTo(SILENT_POLLS - 1);
    }

    @Test
    void outputRestartsCountOfSilence() {
        PumpDrain drain = drain(waiting(3));
        assertThat(polls(drain, poll -> waiting(poll < SILENT_POLLS ? 3 : 4))).isEqualTo(2 * SILENT_POLLS);
    }

    @Test
    void escapedProcessThatWritesNowAndThenIsWaitedForTwoSeconds() {
        PumpDrain drain = drain(waiting(0));
        long waited = polls(drain, PumpDrainTest::waiting) * PumpDrain.POLL_NANOS;
        assertThat(waited).isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.MILLISECONDS.toNanos(2_100));
    }

    @Test
    void escapedProcessThatWritesAlwaysIsReadForTwoSeconds() {
        PumpDrain drain = drain(new RunPump.State(false, false, 0, 0));
        long read = polls(drain, poll -> new RunPump.State(false, false, poll, poll << 20)) * PumpDrain.POLL_NANOS;
        assertThat(read).isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.MILLISECONDS.toNanos(2_100));
    }

    @Test
    void pumpThatHandsItsOutputOnIsNotOver() {
        RunPump.State busy = new RunPump.State(false, false, 1, 1 << 16);
        assertThat(polls(drain(busy), poll -> busy)).isEqualTo(MAX_POLLS);
    }

    @Test
    void pumpAtItsEndIsOver() {
        assertThat(drain(new RunPump.State(true, false, 1, 0)).isOver(now)).isTrue();
    }
}
