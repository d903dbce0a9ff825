package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadAheadTest {
    @Test
    void bytesReadAheadAreGivenAwayOnce() throws IOException {
        InputStream below = new ByteArrayInputStream("below".getBytes(US_ASCII));
        ReadAhead in = new ReadAhead("first".getBytes(US_ASCII), below);
        assertThat(in.read()).isEqualTo('f');
        assertThat(in.available()).isEqualTo("irstbelow".length());
        assertThat(in.takeAhead()).isEqualTo("irst".getBytes(US_ASCII));
        assertThat(in.takeAhead()).isEmpty();
        assertThat(in.read()).isEqualTo('b');
        assertThat(in.takeAhead()).isEqualTo("elow".getBytes(US_ASCII));
        assertThat(below.read()).isEqualTo(-1);
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(new byte[1])).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192, 30_000})
    void bytesComeInOrder(int block) throws IOException {
        byte[] all = new byte[100_000];
        for (int index = 0; index < all.length; index++) {
            all[index] = (byte) (index % 251);
        }
        ReadAhead in =
                new ReadAhead(Arrays.copyOf(all, 20_000), new ByteArrayInputStream(all, 20_000, all.length - 20_000));
        byte[] read = new byte[all.length];
        int count = 0;
        while (count < 50_000) {
            count += in.readNBytes(read, count, block);
        }
        byte[] ahead = in.takeAhead();
        System.arraycopy(ahead, 0, read, count, ahead.length);
        count += ahead.length;
        count += in.readNBytes(read, count, all.length - count);
        assertThat(count).isEqualTo(all.length);
        assertThat(read).isEqualTo(all);
        assertThat(in.read()).isEqualTo(-1);
    }
}
