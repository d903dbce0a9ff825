package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bindings as tools of a session, with commands in bubblewrap. */
class BindingToolsTest {
    private static final String CANARY = "canary-4711";

    @TempDir
    Path directory;

    private Path root = Path.of("/");

    @SuppressWarnings("NullAway.Init") // set before each test
    private AgentContainer container;

    @BeforeEach
    void open() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("project"));
        Files.createDirectory(root.resolve("private"));
        Files.writeString(root.resolve("private/denied.txt"), "denied " + CANARY);
        Files.writeString(root.resolve(".env"), "NAME=open\nAPI_KEY=" + CANARY + "\n");
        Files.writeString(root.resolve("a.txt"), "one\ntwo\n");
        container = AgentContainer.builder(root)
                .backend("bwrap")
                .denyRead(List.of("private/**"))
                .environment(EnvOptions.standard().including("NAME", "API_KEY"))
                .exec(ExecPolicy.only(List.of("cat", "env")))
                .build();
    }

    @AfterEach
    void close() {
        container.close();
    }

    private ToolResult call(String name, Map<String, ?> arguments) {
        Tool tool = container.tools().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return tool.execute(new ToolCall("1", name, Json.of(arguments)), new ToolContext() {
            @Override
            public AbortSignal signal() {
                return AbortSignal.never();
            }

            @Override
            public void update(String textSoFar) {}
        });
    }

    private static void assertRefused(ToolResult result, String why) {
        assertThat(result.isError()).as(result.text()).isTrue();
        assertThat(result.text()).contains(why).doesNotContain(CANARY);
    }

    @Test
    void eachToolDoesWhatItsBindingDoes() {
        assertThat(container.tools())
                .extracting(Tool::name)
                .containsExactly("read", "write", "edit", "glob", "grep", "bash");
        assertThat(call("read", Map.of("path", "a.txt")).text()).isEqualTo("one\ntwo\n");
        assertThat(call("write", Map.of("path", "new/b.txt", "content", "x y x"))
                        .text())
                .isEqualTo("Created new/b.txt");
        assertThat(call("write", Map.of("path", "new/b.txt", "content", "x y z"))
                        .text())
                .isEqualTo("Replaced new/b.txt");
        assertThat(call("edit", Map.of("path", "new/b.txt", "oldText", "y", "newText", "w"))
                        .text())
                .isEqualTo("Changed new/b.txt");
        assertThat(root.resolve("new/b.txt")).hasContent("x w z");
        assertThat(call("glob", Map.of("pattern", "*.txt")).text()).isEqualTo("a.txt\nnew/b.txt");
        assertThat(call("grep", Map.of("query", "tw")).text()).isEqualTo("a.txt:2:two");
        assertThat(call("grep", Map.of("query", "w", "include", "new/**")).text())
                .isEqualTo("new/b.txt:1:x w z");
        assertThat(call("bash", Map.of("command", "cat", "args", List.of("a.txt")))
                        .text())
                .isEqualTo("one\ntwo\n\nExit code 0.");
    }

    @Test
    void editOfPassageThatIsNotThereOnceChangesNothing() throws Exception {
        Files.writeString(root.resolve("a.txt"), "one one");
        for (String old : List.of("one", "absent", "")) {
            assertRefused(
                    call("edit", Map.of("path", "a.txt", "oldText", old, "newText", "two")), "exactly once in a.txt");
        }
        assertThat(root.resolve("a.txt")).hasContent("one one");
    }

    @Test
    void noToolGivesDeniedContentOrSecret() throws Exception {
        assertRefused(call("read", Map.of("path", "private/denied.txt")), "private/denied.txt");
        assertThat(call("read", Map.of("path", ".env")).text()).isEqualTo("NAME=\"open\"");
        assertThat(call("grep", Map.of("query", "canary")).text()).isEmpty();
        assertThat(call("bash", Map.of("command", "cat", "args", List.of(".env", "private/denied.txt")))
                        .text())
                .contains("Exit code 1.")
                .doesNotContain(CANARY);
        assertThat(call("bash", Map.of("command", "env")).text())
                .contains("NAME=open")
                .doesNotContain(CANARY);
        assertRefused(call("bash", Map.of("command", "sh", "args", List.of("-c", "cat .env"))), "'sh'");
        assertRefused(call("write", Map.of("path", ".env", "content", "API_KEY=mine")), ".env");
        assertRefused(
                call("edit", Map.of("path", ".env", "oldText", "NAME=\"open\"", "newText", "NAME=changed")), ".env");
        assertThat(root.resolve(".env")).content().isEqualTo("NAME=open\nAPI_KEY=" + CANARY + "\n");
    }
}
