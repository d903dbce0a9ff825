package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests which shell runs the commands of the tool bash, and that its description says so. */
class CommandShellTest extends SessionTest {
    private static final String NAME = "echo \"${BASH_VERSION:+bash}\"";

    private static ToolResult call(AgentSession session, Json arguments) {
        return session.call(
                new ToolCall("call", arguments.get("command").isPresent() ? "bash" : "bash_output", arguments),
                AbortSignal.never(),
                text -> {});
    }

    private static ToolResult bash(AgentSession session, String command) {
        return call(session, Json.object().with("command", command));
    }

    private static String description(AgentSession session) {
        Tool bash = session.tools().getFirst();
        return bash.description() + bash.inputSchema();
    }

    @Test
    void bashRunsCommandsWhereItExists() {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash");
        AgentSession session = open(builder(script("")));
        assertThat(description(session)).contains("by bash, and", "string for bash;");
        assertThat(bash(session, "set -o pipefail; source /dev/null && [[ a == a ]] && cat <(echo read)")
                        .text())
                .isEqualTo("read\n");
        Json background = Json.object().with("command", NAME).with("run_in_background", true);
        assertThat(call(session, background).isError()).isFalse();
        Json read = Json.object().with("shell_id", "bash_1").with("wait_seconds", 30);
        assertThat(call(session, read).text()).startsWith("bash\n");
    }

    @Test
    void optionSelectsExecutorsOwnShell() {
        AgentSession session = open(builder(script("")).shell(CommandShell.OWN));
        assertThat(description(session)).contains("by a POSIX sh, and", "string for a POSIX sh;");
        assertThat(bash(session, NAME).text())
                .isEqualTo(
                        Files.exists(Path.of("/bin/dash"))
                                ? "\n"
                                : bash(session, NAME).text());
    }

    @Test
    void executorWithAnotherShellKeepsIt() {
        CommandExecutor other = HostExecutor.builder().shell("/bin/dash").build();
        assumeTrue(Files.isExecutable(Path.of("/bin/dash")), "there is no dash");
        AgentSession session = open(builder(script("")).executor(other));
        assertThat(description(session)).contains("by a POSIX sh, and");
        assertThat(bash(session, NAME).text()).isEqualTo("\n");
    }

    @Test
    void bashIsRefusedWhereExecutorWouldRunAnotherShell() {
        CommandExecutor plain =
                (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
        AgentSession any = open(builder(script("")).executor(plain));
        assertThat(description(any)).contains("by a POSIX sh, and");
        assertThat(bash(any, "echo well").text()).isEqualTo("well\n");
        AgentSession fixed = open(builder(script(""))
                .executor(plain)
                .sessionDirectory(home.resolve("other"))
                .shell(CommandShell.BASH));
        assertThat(bash(fixed, "touch ran").text()).contains("not run: there is no bash where the executor 'custom'");
        assertThat(worktree.resolve("ran")).doesNotExist();
    }
}
