package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ClassCacheDumpTest {
    private static final int MAGIC = 0xf00baba2;
    private static final int HEADER = 16;

    /** Returns a dump that ran from the time 1000 to 2000, with a checksum and two words. */
    private static ClassCacheDump dump(int checksum, long first, long second) {
        return new ClassCacheDump(bytes(checksum, first, second), 1000, 2000);
    }

    private static byte[] bytes(int checksum, long first, long second) {
        byte[] bytes = new byte[HEADER + 2 * Long.BYTES];
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.nativeOrder())
                .putInt(MAGIC)
                .putInt(checksum)
                .putInt(19)
                .putInt(HEADER)
                .putLong(first)
                .putLong(second);
        return bytes;
    }

    @Test
    void timesAndChecksumsThatDifferAreCleared() {
        assertThat(dump(1, 1500, 1700).settled(dump(2, 1500, 1701)))
                .as("1500 is no time, since both have it")
                .isEqualTo(bytes(0, 1500, 0));
    }

    @Test
    void anyOtherDifferenceIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> dump(1, 1500, 3000).settled(dump(1, 1500, 1700)))
                .withMessageContaining("differ at byte 24: bb8 and 6a4 are no times");
        assertThatIllegalStateException()
                .isThrownBy(() -> dump(1, 1500, 1500).settled(new ClassCacheDump(new byte[8], 0, 1)))
                .withMessageContaining("32 and 8 bytes");
    }
}
