package dev.paddock.executor.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ShellChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that a command's standard error may arrive before the answer that the command is about to run. */
class OvertakingOutputTest {
    private static final int PIECES = 3 << 5;
    private static final byte[] PIECE = new byte[32 << 10];

    /** A shell whose streams are copied independently, by an engine on a busy machine. */
    private static final class Overtaking implements ShellChannel {
        private final CountDownLatch request = new CountDownLatch(2); // the script, and the request

        @Override
        public OutputStream input() {
            return new OutputStream() {
                @Override
                public void write(int one) {}

                @Override
                public void write(byte[] bytes, int offset, int length) {
                    request.countDown();
                }
            };
        }

        @Override
        public void endInput() {}

        @Override
        public void deliver(Output output) throws IOException {
            text(output, "slot 1 0\n");
            try {
                request.await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
            for (int piece = 0; piece < PIECES; piece++) {
                output.accept(STDERR, PIECE, PIECE.length);
            }
            text(output, "ready 5\nout");
        }

        private static void text(Output output, String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            output.accept(STDOUT, bytes, bytes.length);
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

    /** Collects what a command writes. */
    private static final class Collector implements Slot.Receiver {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();

        @Override
        public void output(int stream, byte[] bytes, int length) {
            (stream == ShellChannel.STDOUT ? out : err).write(bytes, 0, length);
        }

        @Override
        public void ended() {}
    }

    @Test
    void threeMebibytesArriveWhole() throws Exception {
        Slot slot = Slot.open(new Overtaking());
        Collector collector = new Collector();
        slot.send("request".getBytes(StandardCharsets.US_ASCII), collector);
        assertThat(slot.answer().get(20, TimeUnit.SECONDS)).isEqualTo("ready 5");
        slot.end().get(20, TimeUnit.SECONDS);
        assertThat(collector.err.size()).isEqualTo(PIECES * PIECE.length);
        assertThat(collector.out).asString().isEqualTo("out");
    }
}
