package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that a command starts with an ampersand, and leaves behind. */
@EnabledOnOs(OS.LINUX)
class BackgroundProcessTest {
    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void itsEndIsReported(String sandbox) {
        Paddock.Result left = paddock.script(sandbox, "sleep 1000 & setsid sleep 1001 & echo done");
        assertThat(left.stdout()).isEqualTo("done\n");
        assertThat(left.stderr()).contains("the command left 2 processes running, ended with it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void commandThatWaitsForItsProcessesHasNoneToReport(String sandbox) {
        Paddock.Result none = paddock.script(sandbox, "sleep 0.01 & sleep 0.02 & wait; seq 9 | head -n 1");
        assertThat(none.exitCode()).isZero();
        assertThat(none.stderr()).isEmpty();
    }
}
