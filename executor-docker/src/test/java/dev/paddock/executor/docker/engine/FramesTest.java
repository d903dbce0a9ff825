package dev.paddock.executor.docker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the demultiplexing of the engine's stream. */
class FramesTest {
    private static byte[] frame(int stream, byte[] payload) {
        byte[] frame = new byte[8 + payload.length];
        frame[0] = (byte) stream;
        frame[5] = (byte) (payload.length >> 16);
        frame[6] = (byte) (payload.length >> 8);
        frame[7] = (byte) payload.length;
        System.arraycopy(payload, 0, frame, 8, payload.length);
        return frame;
    }

    @Test
    void framesAreSeparated() throws IOException {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        byte[] large = new byte[70_000];
        Arrays.fill(large, (byte) 'x');
        wire.writeBytes(frame(1, new byte[] {'a'}));
        wire.writeBytes(frame(2, new byte[] {'b'}));
        wire.writeBytes(frame(1, new byte[0]));
        wire.writeBytes(frame(1, large));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        new Frames(new ByteArrayInputStream(wire.toByteArray()))
                .forEach((stream, bytes, length) -> (stream == 1 ? out : err).write(bytes, 0, length));
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a" + "x".repeat(70_000));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 1000, 100_000})
    void framesAreExactHoweverConnectionCutsThem(int piece) throws IOException {
        Random random = new Random(piece);
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        List<ByteArrayOutputStream> sent = List.of(new ByteArrayOutputStream(), new ByteArrayOutputStream());
        for (int count = 0; count < 200; count++) {
            byte[] payload = new byte[random.nextInt(count % 20 == 0 ? 70_000 : 300)];
            random.nextBytes(payload);
            int stream = random.nextInt(2);
            wire.writeBytes(frame(stream + 1, payload));
            sent.get(stream).writeBytes(payload);
        }
        List<ByteArrayOutputStream> got = List.of(new ByteArrayOutputStream(), new ByteArrayOutputStream());
        new Frames(new InPieces(wire.toByteArray(), piece))
                .forEach((stream, bytes, length) -> got.get(stream - 1).write(bytes, 0, length));
        assertThat(got.get(0).toByteArray()).isEqualTo(sent.get(0).toByteArray());
        assertThat(got.get(1).toByteArray()).isEqualTo(sent.get(1).toByteArray());
    }

    /**
     * Consecutive frames of a stream are delivered in one piece: waking the reader for each line
     * would cost more than the line.
     */
    @Test
    void framesOfOneReadArePassedOnInOnePiece() throws IOException {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        for (int line = 0; line < 100; line++) {
            wire.writeBytes(frame(1, "out\n".getBytes(StandardCharsets.US_ASCII)));
        }
        wire.writeBytes(frame(2, "err\n".getBytes(StandardCharsets.US_ASCII)));
        wire.writeBytes(frame(1, "end\n".getBytes(StandardCharsets.US_ASCII)));
        List<String> pieces = new ArrayList<>();
        new Frames(new ByteArrayInputStream(wire.toByteArray()))
                .forEach((stream, bytes, length) ->
                        pieces.add(stream + new String(bytes, 0, length, StandardCharsets.US_ASCII)));
        assertThat(pieces).containsExactly("1" + "out\n".repeat(100), "2err\n", "1end\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 17})
    void connectionThatEndsInFrameIsFault(int length) {
        byte[] cut = Arrays.copyOf(frame(1, new byte[10]), length);
        assertThatThrownBy(() -> new Frames(new ByteArrayInputStream(cut)).forEach((stream, bytes, got) -> {}))
                .isInstanceOf(EOFException.class);
    }

    @Test
    void garbledFrameIsFault() {
        byte[] garbled = "OCI runtime exec failed".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> new Frames(new ByteArrayInputStream(garbled)).forEach((stream, bytes, length) -> {}))
                .isInstanceOf(IOException.class);
    }

    /** Returns at most a given number of bytes per read. */
    private static final class InPieces extends ByteArrayInputStream {
        private final int most;

        InPieces(byte[] bytes, int most) {
            super(bytes);
            this.most = most;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return super.read(bytes, offset, Math.min(most, length));
        }
    }
}
