package dev.paddock.executor.os.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Tests the decoding of macOS's structures, laid out field by field as in the headers of its
 * kernel.
 */
class MacProcessTest {

    /** {@code struct proc_bsdinfo} of bsd/sys/proc_info.h, in the order of its fields. */
    private static ByteBuffer info(int status, int pid, int parent, int group, long seconds, long micros) {
        return ByteBuffer.allocate(136)
                .order(ByteOrder.nativeOrder())
                .putInt(0x4004) // pbi_flags
                .putInt(status)
                .putInt(0x0700) // pbi_xstatus
                .putInt(pid)
                .putInt(parent)
                .putInt(501) // pbi_uid
                .putInt(20) // pbi_gid
                .putInt(501) // pbi_ruid
                .putInt(20) // pbi_rgid
                .putInt(501) // pbi_svuid
                .putInt(20) // pbi_svgid
                .putInt(0) // rfu_1
                .put(new byte[16]) // pbi_comm
                .put(new byte[32]) // pbi_name
                .putInt(12) // pbi_nfiles
                .putInt(group)
                .putInt(1) // pbi_pjobc
                .putInt(-1) // e_tdev
                .putInt(0) // e_tpgid
                .putInt(0) // pbi_nice
                .putLong(seconds)
                .putLong(micros);
    }

    @Test
    void readsProcess() {
        ByteBuffer info = info(2, 4711, 4700, 4710, 1_700_000_000L, 123_456);
        assertThat(info.remaining()).as("all of the structure is filled").isZero();
        assertThat(MacProcess.ofBsdInfo(info))
                .isEqualTo(new MacProcess(4711, 4700, 4710, true, 1_700_000_000_123_456L));
    }

    @Test
    void zombieDoesNotRun() {
        assertThat(MacProcess.ofBsdInfo(info(5, 1, 0, 1, 0, 0)).running()).isFalse();
    }

    /**
     * Builds a {@code KERN_PROCARGS2}: the count, the path, NULs up to a word's end, arguments,
     * environment, and the strings for the loader.
     */
    private static byte[] arguments(int count, String... texts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.nativeOrder())
                .putInt(count)
                .array());
        all.writeBytes("/bin/sh\0\0\0\0\0".getBytes(UTF_8));
        for (String text : texts) {
            all.writeBytes((text + '\0').getBytes(UTF_8));
        }
        return all.toByteArray();
    }

    @Test
    void findsMarkerInEnvironmentAlone() {
        String marker = CommandExecutor.MARKER + "=a:1:2";
        assertThat(MacProcess.marker(arguments(3, "sh", "-c", "", "PATH=/bin", marker, "HOME=/", "", "ptr_munge=1")))
                .contains("a:1:2");
        assertThat(MacProcess.marker(arguments(3, "sh", "-c", marker, "PATH=/bin", "", marker)))
                .as("an argument, and what comes after the environment")
                .isEmpty();
        assertThat(MacProcess.marker(arguments(1, "sh", "X" + marker, "")))
                .as("another variable")
                .isEmpty();
        assertThat(MacProcess.marker(arguments(1, "sh")))
                .as("an environment that is kept secret")
                .isEmpty();
    }

    @Test
    void truncatedStructureHasNoMarker() {
        byte[] whole = arguments(2, "sh", "-c", CommandExecutor.MARKER + "=a:1:2", "");
        for (int length = 0; length < whole.length - 2; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(MacProcess.marker(cut).orElse("")).isNotEqualTo("a:1:2");
        }
        assertThat(MacProcess.marker(whole)).contains("a:1:2");
        assertThat(MacProcess.marker(arguments(Integer.MAX_VALUE, "sh", CommandExecutor.MARKER + "=x")))
                .isEmpty();
        assertThat(MacProcess.marker(arguments(-1, CommandExecutor.MARKER + "=x")))
                .contains("x");
    }
}
