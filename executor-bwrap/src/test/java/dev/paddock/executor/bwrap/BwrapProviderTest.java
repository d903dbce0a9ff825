package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.SandboxUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class BwrapProviderTest {

    @Test
    void isChosenUnaskedUnlessSettingsAreAnotherBackends() {
        BwrapProvider provider = new BwrapProvider();

        assertThat(provider.autoPriority(Map.of())).isEqualTo(OptionalInt.of(100));
        assertThat(provider.autoPriority(Map.of("warmSlots", "1", "shell", "/bin/sh", "program", "bwrap")))
                .isPresent();
        assertThat(provider.autoPriority(Map.of("image", "debian"))).isEmpty();
    }

    /** The usual bubblewrap says nothing about another one. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void autoProbesProgramThatIsNamed(@TempDir Path directory) throws IOException {
        Path program = Files.writeString(directory.resolve("bwrap"), "#!/bin/sh\necho no such sandbox >&2; exit 1\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));

        assertThat(ExecutorProviders.choose("auto", Map.of()).name())
                .as("control")
                .isEqualTo("bwrap");
        assertThatThrownBy(() -> ExecutorProviders.choose("auto", Map.of("program", program.toString())))
                .isInstanceOf(SandboxUnavailableException.class);
    }
}
