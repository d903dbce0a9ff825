package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the file tools of a session leave what its executor keeps from commands. */
class KeptFilesTest extends SessionTest {

    @Test
    void fileToolsWriteNothingThatExecutorKeeps() throws IOException {
        Path hooks = Files.createDirectory(worktree.toRealPath().resolve("hooks"));
        Path hook = Files.writeString(hooks.resolve("pre-commit"), "true\n");
        Files.createSymbolicLink(worktree.resolve("link"), hook);
        AgentSession session = open(builder(script("")).executor(new ForwardingExecutor(host) {
            @Override
            public boolean isKept(Path path) {
                return path.startsWith(hooks);
            }
        }));

        for (String path : List.of("hooks/pre-commit", "hooks/new", "link", hook.toString())) {
            assertRefused(call(session, "write", arguments(path).with("content", "evil\n")));
        }
        assertRefused(call(
                session,
                "edit",
                arguments("hooks/pre-commit").with("old_string", "true").with("new_string", "evil")));
        assertThat(hook).hasContent("true");
        assertThat(hooks.resolve("new")).doesNotExist();
        assertThat(call(session, "write", arguments("other").with("content", "b"))
                        .isError())
                .isFalse();
    }

    private static Json arguments(String path) {
        return Json.object().with("path", path);
    }

    private static void assertRefused(ToolResult result) {
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).contains("is protected");
    }

    private static ToolResult call(AgentSession session, String tool, Json arguments) {
        return session.call(new ToolCall("call", tool, arguments), AbortSignal.never(), text -> {});
    }
}
