package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user reaches the worktree by a symbolic link, and uses that name in commands. */
@EnabledOnOs(OS.LINUX)
class LinkedWorktreeTest {

    /** In the temporary directory, of which sandboxes have their own, and elsewhere. */
    @ParameterizedTest
    @CsvSource({"bwrap, false", "bwrap, true", "landlock, false", "landlock, true"})
    void nameThatWasTypedIsName(String sandbox, boolean isElsewhere, @TempDir Path temporary) throws Exception {
        Path root = isElsewhere
                ? Files.createTempDirectory(Path.of("target").toRealPath(), "linked-")
                : temporary.toRealPath();
        Path real = Files.createDirectory(root.resolve("real"));
        Files.writeString(real.resolve("file"), "one\n");
        Path link = Files.createSymbolicLink(root.resolve("link"), real);
        String script = "cat " + link + "/file && echo two >" + link + "/other && cat other && pwd";
        String expected = "one\ntwo\n" + real + "\n";
        Path home = Files.createDirectory(root.resolve("home"));
        try {
            Paddock.Result typed = Paddock.in(root, home).script(sandbox, script, "--worktree", "link");
            assertThat(typed.stdout()).as(typed.stderr()).isEqualTo(expected);
            Paddock.Result entered =
                    Paddock.in(real, home).env("PWD", link.toString()).script(sandbox, script);
            assertThat(entered.stdout()).as(entered.stderr()).isEqualTo(expected);
        } finally {
            if (isElsewhere) {
                Paddock.in(root, home).host("rm -r " + root);
            }
        }
    }

    @Test
    void nameIsThatOfFileToolsToo(@TempDir Path temporary) throws Exception {
        Path root = temporary.toRealPath();
        Path real = Files.createDirectory(root.resolve("real"));
        Path link = Files.createSymbolicLink(root.resolve("link"), real);
        Path home = Files.createDirectory(root.resolve("home"));
        try (McpClient client = McpClient.start(Paddock.in(root, home), "--executor", "bwrap", "--worktree", "link")) {
            assertThat(client.call("write", Map.of("path", link + "/file", "content", "one\n")))
                    .doesNotStartWith("failed");
            assertThat(client.bash("cat " + link + "/file")).isEqualTo("one\n");
            assertThat(client.call("read", Map.of("path", real + "/file"))).contains("one");
        }
        assertThat(real.resolve("file")).hasContent("one\n");
    }
}
