package dev.paddock.executor.sandbox.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OutOfMemoryVerdictTest {
    private static final OptionalLong LIMIT = OptionalLong.of(64 << 20);
    private static final ExitStatus KILLED = new ExitStatus.Signaled(Signal.KILL);

    @Test
    void killedCommandRanOutOfMemoryIfCountRose() {
        assertThat(OutOfMemoryVerdict.of(KILLED, 1, LIMIT)).isEqualTo(new ExitStatus.OutOfMemory(LIMIT));
        assertThat(OutOfMemoryVerdict.of(new ExitStatus.Exited(137), 2, LIMIT))
                .isEqualTo(new ExitStatus.OutOfMemory(LIMIT));
    }

    @Test
    void statusOfOtherEndsIsUnchanged() {
        assertThat(OutOfMemoryVerdict.of(KILLED, 0, LIMIT)).isEqualTo(KILLED);
        ExitStatus failed = new ExitStatus.Exited(1);
        assertThat(OutOfMemoryVerdict.of(failed, 3, LIMIT)).isEqualTo(failed);
    }
}
