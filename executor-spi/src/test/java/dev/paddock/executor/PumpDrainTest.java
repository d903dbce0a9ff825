package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Tests for how long a run waits for the output of a closed command. */
class PumpDrainTest {
    private static final long SILENT_LOOKS = 5;
    private static final long MOST_LOOKS = 40;

    private long now;

    private static RunPump.State waiting(long reads) {
        return new RunPump.State(false, true, reads, 0);
    }

    private boolean isOver(PumpDrain drain, RunPump.State state) {
        now += PumpDrain.LOOK;
        return drain.isOver(state, now);
    }

    /** Looks until the drain is over, and returns how often. */
    private long looks(PumpDrain drain, LongFunction<RunPump.State> state) {
        long looks = 1;
        while (!isOver(drain, state.apply(looks)) && looks < MOST_LOOKS) {
            looks++;
        }
        return looks;
    }

    @Test
    void aSilentPumpIsOverAfterSomeLooks() {
        assertThat(looks(new PumpDrain(waiting(3), now), look -> waiting(3))).isEqualTo(SILENT_LOOKS);
    }

    /** The pump's thread stood still, too: what is in the pipe has not been read. */
    @Test
    void timeInWhichTheJvmStandsStillIsNoSilence() {
        PumpDrain drain = new PumpDrain(waiting(3), now);
        now += TimeUnit.MINUTES.toNanos(1);
        assertThat(drain.isOver(waiting(3), now)).isFalse();
        assertThat(looks(drain, look -> waiting(3))).isEqualTo(SILENT_LOOKS - 1);
    }

    @Test
    void outputBeginsTheSilenceAnew() {
        PumpDrain drain = new PumpDrain(waiting(3), now);
        assertThat(looks(drain, look -> waiting(look < SILENT_LOOKS ? 3 : 4))).isEqualTo(2 * SILENT_LOOKS);
    }

    @Test
    void anEscapedProcessThatWritesNowAndThenIsWaitedForTwoSeconds() {
        PumpDrain drain = new PumpDrain(waiting(0), now);
        long waited = looks(drain, PumpDrainTest::waiting) * PumpDrain.LOOK;
        assertThat(waited).isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.MILLISECONDS.toNanos(2_100));
    }

    @Test
    void anEscapedProcessThatWritesAlwaysIsReadForTwoSeconds() {
        PumpDrain drain = new PumpDrain(new RunPump.State(false, false, 0, 0), now);
        long read = looks(drain, look -> new RunPump.State(false, false, look, look << 20)) * PumpDrain.LOOK;
        assertThat(read).isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.MILLISECONDS.toNanos(2_100));
    }

    @Test
    void aPumpThatHandsItsOutputOnIsNotOver() {
        RunPump.State busy = new RunPump.State(false, false, 1, 1 << 16);
        assertThat(looks(new PumpDrain(busy, now), look -> busy)).isEqualTo(MOST_LOOKS);
    }

    @Test
    void aPumpAtItsEndIsOver() {
        RunPump.State ended = new RunPump.State(true, false, 1, 0);
        assertThat(new PumpDrain(ended, now).isOver(ended, now)).isTrue();
    }
}
