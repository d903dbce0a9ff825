package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A shell script that is given as the name of a program. */
@EnabledOnOs(OS.LINUX)
class QuotedScriptTest {
    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        Files.writeString(project.resolve("f"), "text\n");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            bwrap,    ls -la | wc
            bwrap,    cat f
            bwrap,    a && b
            bwrap,    echo 'it'
            landlock, ls -la | wc
            """)
    void optionForScriptsIsNamed(String sandbox, String script) {
        Paddock.Result result = paddock.run("exec", "--executor", sandbox, script);
        assertThat(result.exitCode()).isEqualTo(127);
        assertThat(result.stderr().lines().filter(line -> line.startsWith("paddock: ")))
                .singleElement()
                .asString()
                .endsWith(": -c '" + script.replace("'", "'\\''") + "'");
    }

    @Test
    void fileThatCannotBeExecutedIsNoScript() throws Exception {
        Path program = Files.writeString(project.resolve("a program"), "#!/bin/sh\n");
        Paddock.Result result = paddock.run("exec", "--executor", "bwrap", "--", program.toString(), "x");
        assertThat(result.exitCode()).isEqualTo(126);
        assertThat(result.stderr()).doesNotContain("-c ");
    }

    @Test
    void programThatDoesNotExistIsNoScript() {
        Paddock.Result result = paddock.run("exec", "--executor", "bwrap", "--", "no-such-program", "a b");
        assertThat(result.exitCode()).isEqualTo(127);
        assertThat(result.stderr()).doesNotContain("-c ");
    }

    @Test
    void scriptThatIsTooLongForFileNameIsRecognized() {
        Paddock.Result result = paddock.run("exec", "--executor", "bwrap", "--", "cat " + "x".repeat(300));
        assertThat(result.stderr()).contains("-c SCRIPT");
    }

    @Test
    void variableBeforeProgramNamesItsOption() {
        assertThat(paddock.run("exec", "--executor", "bwrap", "--", "CI=true", "env")
                        .stderr())
                .contains("--env CI=");
    }
}
