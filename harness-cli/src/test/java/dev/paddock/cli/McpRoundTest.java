package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.mcp.McpToolSource;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connects Paddock's MCP client and server: a session uses the tools of {@code paddock mcp}. */
class McpRoundTest {
    @TempDir
    private Path directory;

    @Test
    void sessionUsesToolsOfAnother() throws Exception {
        Path worktree = Files.createDirectory(directory.resolve("worktree")).toRealPath();
        List<String> updates = new CopyOnWriteArrayList<>();
        McpToolSource source = McpToolSource.stdio(
                        "paddock",
                        // The server receives few of this process's variables, and would write its records
                        // to the user's state.
                        "XDG_STATE_HOME='" + directory.resolve("state") + "' exec "
                                + Cli.in(worktree).shellWords(McpBackend.HOST.arguments()))
                .build();
        try (CommandExecutor executor = HostExecutor.create();
                AgentSession session = AgentSession.builder()
                        .model(Model.none())
                        .cwd(worktree)
                        .executor(executor)
                        .sessionDirectory(directory.resolve("session"))
                        .toolSource(source)
                        .build()) {
            assertThat(session.tools()).extracting(Tool::name).contains("bash", "mcp__paddock__bash");
            assertThat(session.call(
                                    new ToolCall(
                                            "1",
                                            "mcp__paddock__bash",
                                            Json.object()
                                                    .with("command", "echo one; until [ -e go ]; do sleep 0.05; done")),
                                    AbortSignal.never(),
                                    text -> {
                                        updates.add(text);
                                        touch(worktree.resolve("go"));
                                    })
                            .text())
                    .startsWith("one\n");
        }
        assertThat(updates).contains("one\n");
    }

    private static void touch(Path file) {
        try {
            Files.write(file, new byte[0]);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
