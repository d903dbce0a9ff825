package dev.paddock.executor.os.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class RegularFileTest {

    /** Root may not read it either. */
    @Test
    void fileThatMayNotBeReadIsNamedByItsOwnPath() {
        Path file = Path.of("/proc/sys/net/ipv4/route/flush");
        assertThat(Files.isRegularFile(file)).isTrue();
        AccessDeniedException fault = catchThrowableOfType(
                AccessDeniedException.class, () -> RegularFile.open(file).close());
        assertThat(fault.getFile()).isEqualTo(file.toString());
    }
}
