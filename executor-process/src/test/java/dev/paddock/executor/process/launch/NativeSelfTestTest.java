package dev.paddock.executor.process.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.os.posix.Platform;
import dev.paddock.executor.os.posix.Posix;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the self-test that decides on macOS how processes are started. */
class NativeSelfTestTest {
    private static final Platform HERE = Platform.ofThisMachine();

    private static boolean passes(Platform platform) {
        return NativeSelfTest.passes(Posix.as(platform).orElseThrow(), 30);
    }

    private static Platform with(int setSession, int infoStatus) {
        return new Platform(
                HERE.library(),
                setSession,
                HERE.closeByDefault(),
                HERE.stopSignal(),
                HERE.childSignal(),
                HERE.noWait(),
                HERE.infoPid(),
                infoStatus,
                HERE.closeOnExec(),
                HERE.mayEnter(),
                false);
    }

    @Test
    void passesWithThisMachinesNumbers() {
        assertThat(passes(HERE)).isTrue();
        assertThat(passes(HERE.portable())).isTrue();
        assertThat(passes(with(HERE.setSession(), HERE.infoStatus()))).isTrue();
    }

    @Test
    void failsWhereProcessesGetNoSession() {
        Set<ProcessHandle> before = children();
        assertThat(passes(with(0, HERE.infoStatus()))).isFalse();
        Awaitility.await("the shells that the self-test started have ended")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(children()).as("shells of the self-test").isSubsetOf(before));
    }

    private static Set<ProcessHandle> children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).collect(Collectors.toSet());
    }

    @Test
    void failsWhereStatusHasAnotherOffset() {
        assertThat(passes(with(HERE.setSession(), 100))).isFalse();
    }
}
