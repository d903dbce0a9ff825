package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that behaves alike in each sandbox. */
@EnabledOnOs(OS.LINUX)
class SameEnvironmentTest {
    @TempDir
    private Path root;

    /** Its output is no terminal, also if the user who starts Paddock has one. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void terminalIsDumbAndUserCanNameAnother(String sandbox) throws Exception {
        Path real = root.toRealPath();
        Path project = Files.createDirectory(real.resolve("project"));
        Paddock paddock =
                Paddock.in(project, Files.createDirectory(real.resolve("home"))).env("TERM", "xterm-256color");
        Paddock.Result usual = paddock.script(sandbox, "echo $TERM");
        assertThat(usual.stdout()).as(usual.stderr()).isEqualTo("dumb\n");
        Paddock.Result passed = paddock.script(sandbox, "echo $TERM", "--pass-env", "TERM");
        assertThat(passed.stdout()).as(passed.stderr()).isEqualTo("xterm-256color\n");
    }
}
