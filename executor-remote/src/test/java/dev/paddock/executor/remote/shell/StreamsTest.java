package dev.paddock.executor.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the path of a command's output from the connection to its reader. */
class StreamsTest {
    private static byte[] markBytes(StreamSentinel mark) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String octal : mark.octal().substring(1).split("\\\\", -1)) {
            bytes.write(Integer.parseInt(octal, 8));
        }
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 17, 18, 19, 64, 100_000})
    void sentinelIsFoundHoweverStreamIsDivided(int piece) throws IOException {
        StreamSentinel mark = StreamSentinel.random();
        byte[] output = new byte[40_000];
        new Random(piece).nextBytes(output);
        byte[] beginning = Arrays.copyOf(markBytes(mark), 9);
        System.arraycopy(beginning, 0, output, output.length - 30, 9);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(output);
        all.writeBytes(markBytes(mark));
        all.writeBytes("137 2\n".getBytes(StandardCharsets.US_ASCII));
        StreamBuffer buffer = new StreamBuffer();
        MarkedStream stream = new MarkedStream(mark, buffer);
        byte[] bytes = all.toByteArray();
        for (int from = 0; from < bytes.length; from += piece) {
            byte[] part = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + piece));
            stream.accept(part, part.length);
        }
        assertThat(stream.trailer()).contains("137 2");
        assertThat(buffer.readAllBytes()).isEqualTo(output);
    }

    @Test
    void beginningOfSentinelIsOutputWhenConnectionEnds() throws IOException {
        StreamSentinel mark = StreamSentinel.random();
        StreamBuffer buffer = new StreamBuffer();
        MarkedStream stream = new MarkedStream(mark, buffer);
        byte[] beginning = Arrays.copyOf(markBytes(mark), 5);
        stream.accept(beginning, beginning.length);
        stream.end();
        assertThat(stream.trailer()).isEmpty();
        assertThat(buffer.readAllBytes()).isEqualTo(beginning);
    }

    @Test
    void C6_slowReaderBlocksWriter() throws Exception {
        StreamBuffer buffer = new StreamBuffer();
        byte[] block = new byte[StreamBuffer.CAPACITY + 1];
        new Random(1).nextBytes(block);
        CompletableFuture<Boolean> writing =
                CompletableFuture.supplyAsync(() -> buffer.put(block, 0, block.length), Thread::startVirtualThread);
        byte[] first = buffer.readNBytes(1);
        assertThat(writing.get(30, TimeUnit.SECONDS)).isTrue();
        buffer.end();
        byte[] rest = buffer.readAllBytes();
        assertThat(first[0]).isEqualTo(block[0]);
        assertThat(rest).isEqualTo(Arrays.copyOfRange(block, 1, block.length));
    }

    @Test
    void closedStreamAcceptsNothing() throws Exception {
        StreamBuffer buffer = new StreamBuffer();
        buffer.close();
        assertThat(buffer.put(new byte[10], 0, 10)).isFalse();
        assertThatThrownBy(buffer::read).isInstanceOf(IOException.class);
    }
}
