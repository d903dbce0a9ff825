package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a shell hands on quoted arguments exactly. */
@DisabledOnOs(OS.WINDOWS)
class ShellQuotingTest {
    @TempDir
    private Path directory;

    @Test
    void shellPassesEveryArgumentOnExactly() throws Exception {
        List<String> arguments = List.of(
                "", " ", "a b", "it's", "''", "\"", "\\", "$HOME", "`id`", "$(id)", "*", "~", "#", "-n", "!x", "a\nb",
                "\n", "\t", "ä\u20ac", ";", "&", "|", ">", "x=1");
        List<String> line = new ArrayList<>(List.of("printf", "%s\\0"));
        line.addAll(arguments);
        CommandExecutor plain =
                (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
        String out = plain.run(ShellQuoting.posix(line), RunOptions.in(directory.toString()))
                .orThrow()
                .outText();
        assertThat(Arrays.asList(out.split("\0", -1)).subList(0, arguments.size()))
                .isEqualTo(arguments);
    }

    @Test
    void nulIsRefusedAndNothingIsNoCommand() {
        assertThatThrownBy(() -> ShellQuoting.posix(List.of("echo", "a\0b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NUL at 1");
        assertThat(ShellQuoting.posix(List.of())).isEmpty();
    }
}
