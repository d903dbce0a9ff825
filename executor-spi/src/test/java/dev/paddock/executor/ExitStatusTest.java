package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ExitStatus.OutOfMemory;
import dev.paddock.executor.ExitStatus.Signaled;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** C7: tests the codes and kinds of an exit status. */
class ExitStatusTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 42, 126, 127, 128, 193, 255})
    void codeThatIsNoSignal(int code) {
        assertThat(ExitStatus.ofShellCode(code)).isEqualTo(new Exited(code));
        assertThat(new Exited(code).code()).isEqualTo(code);
        assertThat(new Exited(code).isSuccess()).isEqualTo(code == 0);
    }

    @ParameterizedTest
    @CsvSource({"129,1", "130,2", "137,9", "143,15", "192,64"})
    void codeThatIsSignal(int code, int signal) {
        assertThat(ExitStatus.ofShellCode(code)).isEqualTo(new Signaled(new Signal(signal)));
        assertThat(new Signaled(new Signal(signal)).code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({"256,0", "257,1", "-1,255", "-256,0"})
    void onlyLowestEightBitsCount(int code, int exit) {
        assertThat(ExitStatus.ofShellCode(code)).isEqualTo(new Exited(exit));
    }

    @Test
    void noSignalAndNoOutOfMemoryIsSuccess() {
        assertThat(new Signaled(Signal.KILL).isSuccess()).isFalse();
        assertThat(new OutOfMemory(OptionalLong.of(1)).isSuccess()).isFalse();
        assertThat(new OutOfMemory(OptionalLong.empty()).code()).isEqualTo(137);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 256, 1000})
    void codeOutOfRangeIsRefused(int code) {
        assertThatThrownBy(() -> new Exited(code))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(code));
    }

    @Test
    void signalsHaveTheirNames() {
        assertThat(Signal.KILL.name()).isEqualTo("KILL");
        assertThat(Signal.TERM).hasToString("SIGTERM");
        assertThat(new Signal(31)).hasToString("SIGSYS");
        assertThat(new Signal(32).name()).isEqualTo("32");
        assertThat(new Signal(64)).hasToString("signal 64");
        assertThat(List.of(
                        Signal.HUP,
                        Signal.INT,
                        Signal.QUIT,
                        Signal.ABRT,
                        Signal.USR1,
                        Signal.SEGV,
                        Signal.USR2,
                        Signal.PIPE,
                        Signal.CONT,
                        Signal.STOP))
                .extracting(Signal::name)
                .containsExactly("HUP", "INT", "QUIT", "ABRT", "USR1", "SEGV", "USR2", "PIPE", "CONT", "STOP");
    }

    @ParameterizedTest
    @ValueSource(ints = {-9, 0, 65})
    void signalOutOfRangeIsRefused(int number) {
        assertThatThrownBy(() -> new Signal(number))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(number));
    }

    @Test
    void cleanupReportCounts() {
        assertThat(CleanupReport.ofLeftovers(0)).isSameAs(CleanupReport.NONE);
        assertThat(CleanupReport.ofLeftovers(3).leftoversEnded()).hasValue(3);
        assertThatThrownBy(() -> CleanupReport.of(OptionalInt.of(-1), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }
}
