package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Tests for how long a run waits for the output of a closed command. */
class PumpDrainTest {
    private static final long SILENT_LOOKS = 5;
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

    /** Looks until the drain is over, at a pump that has come so far at each look, and returns how often. */
    private long looks(PumpDrain drain, LongFunction<RunPump.State> at) {
        for (long look = 1; look < MAX_POLLS; look++) {
            state = at.apply(look);
            now += PumpDrain.LOOK;
            if (drain.isOver(now)) {
                return look;
            }
        }
        return MAX_POLLS;
    }

    @Test
    void silentPumpIsOverAfterSomeLooks() {
        assertThat(looks(drain(waiting(3)), look -> waiting(3))).isEqualTo(SILENT_LOOKS);
    }

    /** The pump's thread was paused, too, so the content of the pipe has not been read. */
    @Test
    void timeInWhichJvmStandsStillIsNoSilence() {
        PumpDrain drain = drain(waiting(3));
        now += TimeUnit.MINUTES.toNanos(1);
        assertThat(drain.isOver(now)).isFalse();
        assertThat(looks(drain, look -> waiting(3))).isEqualTo(SILENT_LOOKS - 1);
    }

    @Test
    void outputBeginsSilenceAnew() {
        PumpDrain drain = drain(waiting(3));
        assertThat(looks(drain, look -> waiting(look < SILENT_LOOKS ? 3 : 4))).isEqualTo(2 * SILENT_LOOKS);
    }

    @Test
    void escapedProcessThatWritesNowAndThenIsWaitedForTwoSeconds() {
        PumpDrain drain = drain(waiting(0));
        long waited = looks(drain, PumpDrainTest::waiting) * PumpDrain.LOOK;
        assertThat(waited).isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.MILLISECONDS.toNanos(2_100));
    }

    @Test
    void escapedProcessThatWritesAlwaysIsReadForTwoSeconds() {
        PumpDrain drain = drain(new RunPump.State(false, false, 0, 0));
        long read = looks(drain, look -> new RunPump.State(false, false, look, look << 20)) * PumpDrain.LOOK;
        assertThat(read).isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.MILLISECONDS.toNanos(2_100));
    }

    @Test
    void pumpThatHandsItsOutputOnIsNotOver() {
        RunPump.State busy = new RunPump.State(false, false, 1, 1 << 16);
        assertThat(looks(drain(busy), look -> busy)).isEqualTo(MAX_POLLS);
    }

    @Test
    void pumpAtItsEndIsOver() {
        assertThat(drain(new RunPump.State(true, false, 1, 0)).isOver(now)).isTrue();
    }
}
