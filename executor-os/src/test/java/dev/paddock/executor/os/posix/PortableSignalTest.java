package dev.paddock.executor.os.posix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Signal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the signals that are sent through jnr-posix. */
class PortableSignalTest {
    private Process process;

    @BeforeEach
    void start() throws Exception {
        process = new ProcessBuilder("cat").start();
    }

    @AfterEach
    void end() throws Exception {
        process.destroyForcibly().waitFor();
    }

    @Test
    void processReceivesSignal() throws Exception {
        assertThat(PortableSignal.send(process.pid(), Signal.HUP.number())).contains(true);

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(128 + Signal.HUP.number());
    }

    @Test
    void processThatHasEndedReceivesNone() throws Exception {
        assertThat(PortableSignal.send(process.pid(), 0)).contains(true);
        process.destroy();
        process.waitFor();

        assertThat(PortableSignal.send(process.pid(), 0)).contains(false);
    }
}
