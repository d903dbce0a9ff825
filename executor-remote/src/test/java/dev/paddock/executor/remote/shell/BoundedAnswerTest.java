package dev.paddock.executor.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that a remote system which writes without end takes no memory without bound. */
class BoundedAnswerTest {
    private static final int PIECE = 32 << 10;

    /** A process that writes so many bytes of one line, and then ends. */
    private record Writer(int size) implements ShellChannel {
        @Override
        public OutputStream input() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void endInput() {}

        @Override
        public void deliver(Output output) throws IOException {
            byte[] piece = new byte[PIECE];
            Arrays.fill(piece, (byte) 'x');
            for (int left = size; left > 0; left -= PIECE) {
                output.accept(STDOUT, piece, Math.min(PIECE, left));
            }
        }

        @Override
        public OptionalInt exitCode() {
            return OptionalInt.of(0);
        }

        @Override
        public SandboxLostException loss(String reason, Throwable cause) {
            return new SandboxLostException("test", reason, cause);
        }

        @Override
        public void close() {}
    }

    @Test
    void textIsReadUpToItsBound() throws IOException {
        assertThat(new Writer(ShellChannel.MAX_TEXT).readText()).hasSize(ShellChannel.MAX_TEXT);
        assertThatIOException()
                .isThrownBy(() -> new Writer(ShellChannel.MAX_TEXT + 1).readText())
                .withMessageContaining("more than 1 MiB");
    }

    @Test
    void slotThatAnswersWithoutEndIsGivenUp() {
        Slot slot = Slot.open(new Writer(Integer.MAX_VALUE));
        assertThatThrownBy(() -> slot.greeting().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("a line of more than 64 KiB");
    }
}
