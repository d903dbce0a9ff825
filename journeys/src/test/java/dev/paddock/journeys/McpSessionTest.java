package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client of {@code paddock mcp} repairs a small project in twenty steps, each of which needs the one before. */
@EnabledOnOs(OS.LINUX)
class McpSessionTest {
    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Programs.require("git");
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        Files.writeString(project.resolve("greet.sh"), "echo helo\n");
        paddock.host("git init -q && git add . && git -c user.name=a -c user.email=a@example.org commit -qm first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void projectIsRepairedInTwentySteps(String sandbox) throws Exception {
        try (McpClient client = McpClient.start(paddock, "--executor", sandbox)) {
            repair(client);
        }
        assertThat(project.resolve("greet.sh")).hasContent("echo hello");
        assertThat(paddock.host("git log --format=%s -1")).isEqualTo("repaired\n");
    }

    private void repair(McpClient client) throws IOException {
        assertThat(client.request("tools/list", Map.of()).path("tools").findValuesAsText("name"))
                .contains("bash", "read", "write", "edit", "ls", "grep", "find");
        assertThat(client.call("ls", Map.of())).contains("greet.sh");
        assertThat(client.call("read", Map.of("path", "greet.sh"))).contains("helo");
        assertThat(client.bash("sh greet.sh")).contains("helo");
        assertThat(client.call("write", Map.of("path", "test.sh", "content", "sh greet.sh | grep -q hello\n")))
                .doesNotStartWith("failed");
        assertThat(client.bash("sh test.sh")).startsWith("failed").contains("exited with code 1");
        assertThat(client.call("grep", Map.of("pattern", "helo"))).contains("greet.sh");
        assertThat(client.call("edit", Map.of("path", "greet.sh", "old_string", "nothing", "new_string", "x")))
                .as("a mistake of the model's")
                .startsWith("failed");
        assertThat(client.call("edit", Map.of("path", "greet.sh", "old_string", "helo", "new_string", "hello")))
                .doesNotStartWith("failed");
        assertThat(client.bash("sh test.sh")).doesNotStartWith("failed");
        assertThat(client.call("find", Map.of("glob", "*.sh"))).contains("greet.sh", "test.sh");
        assertThat(client.bash("git diff --stat")).contains("greet.sh");
        assertThat(client.bash("mkdir -p a/b && cd a/b && pwd")).contains(project + "/a/b");
        assertThat(client.bash("cd ../.. && pwd"))
                .as("a command begins where the last one ended")
                .startsWith(project.toString())
                .doesNotContain("a/b");
        assertThat(client.bash("echo x >/usr/kept")).startsWith("failed");
        assertThat(client.bash("seq 100000")).contains("100000");
        assertThat(client.bash("git add . && git -c user.name=b -c user.email=b@example.org commit -qm repaired"))
                .doesNotStartWith("failed");
        assertThat(client.bash("git status --short")).doesNotContain("greet.sh");
        assertThat(client.bash("sh greet.sh")).contains("hello");
        assertThat(client.requests()).isEqualTo(20);
    }
}
