package dev.paddock.executor.process.warm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the file is in the form that a kernel loads; the tests of the stub run the program.
 */
class SyscallTrampolineTest {

    @ParameterizedTest
    @CsvSource({"X86_64, 62, 164", "AARCH64, 183, 180"})
    void everyInstructionIsInTheFile(SyscallTrampoline program, int machine, int codeBytes) {
        byte[] code = program.code();
        assertThat(code).hasSize(codeBytes);

        ByteBuffer file = ByteBuffer.wrap(program.image()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(file.getInt(0)).isEqualTo(0x464c457f);
        assertThat(file.getShort(18)).isEqualTo((short) machine);
        long entry = file.getLong(24);
        long base = file.getLong(64 + 16);
        byte[] loaded = new byte[code.length];
        file.get((int) (entry - base), loaded);
        assertThat(loaded).isEqualTo(code);
        assertThat(file.getLong(64 + 32)).as("bytes loaded").isEqualTo(file.capacity());
    }
}
