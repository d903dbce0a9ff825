package dev.paddock.harness.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AllowList;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandGate;
import dev.paddock.harness.tools.command.CommandLimits;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.command.DeniedException;
import dev.paddock.harness.tools.output.LogDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the input of background shells with real processes and terminals. */
class WriteStdinTest {
    private static final CommandLimits LIMITS =
            new CommandLimits(Duration.ofSeconds(60), Duration.ofSeconds(600), Duration.ofMillis(500));

    @TempDir
    Path home;

    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    private final HostExecutor host = HostExecutor.create();
    private CommandRunner runner;
    private BackgroundShells shells;
    private Tool bash;

    @BeforeEach
    void open() {
        LogDirectory logs = new LogDirectory(home.resolve("logs"), Long.MAX_VALUE);
        runner = new CommandRunner(host, home.toString(), Map.of(), LIMITS.killGrace(), logs, clock);
        shells = new BackgroundShells(runner, logs, 3, workers);
        bash = bash((command, signal) -> {});
    }

    private Tool bash(CommandGate gate) {
        return new BashTool(runner, gate, LIMITS, shells, new AuditTrail("test", audit -> {}));
    }

    @AfterEach
    void close() {
        shells.endAll();
        workers.shutdownNow();
        clock.shutdownNow();
        host.dispose();
    }

    private static ObjectNode arguments() {
        return JsonNodeFactory.instance.objectNode();
    }

    private ToolResult call(Tool tool, ObjectNode arguments) {
        return tool.execute(new ToolCall("call", tool.name(), arguments), new QuietContext(AbortSignal.never()));
    }

    private ToolResult start(String command, String input) {
        return call(
                bash,
                arguments()
                        .put("command", command)
                        .put("run_in_background", true)
                        .put(input, true));
    }

    private ToolResult write(String text) {
        return call(
                new WriteStdinTool(shells),
                arguments().put("shell_id", "bash_1").put("text", text));
    }

    private ToolResult close(String text) {
        return call(
                new WriteStdinTool(shells),
                arguments().put("shell_id", "bash_1").put("text", text).put("close", true));
    }

    @Test
    void textReachesACommandAndItsAnswerIsReturnedWithAnUnfinishedLine() {
        assertThat(start("while read -r a; do printf 'got %s>' \"$a\"; done; echo over", "stdin")
                        .text())
                .contains("write_stdin writes to its input");
        assertThat(write("one\n").text()).startsWith("got one>").contains("running");
        assertThat(write("two\n").text()).startsWith("got two>").doesNotContain("one");
        assertThat(close("three\n").text()).startsWith("got three>over\n").contains("completed");
    }

    @Test
    void aTerminalHasItsSizeItsKeysAndNoControlSequences() {
        ToolResult started = call(
                bash,
                arguments()
                        .put(
                                "command",
                                "trap 'echo hit' INT; stty size; printf '\\033[31mred\\033[0m> '; read a; read b; echo \"$b $TERM\"")
                        .put("run_in_background", true)
                        .put("terminal", true)
                        .put("terminal_size", "99x33"));
        assertThat(started.isError()).as(started.text()).isFalse();
        StringBuilder shown = new StringBuilder();
        await("the terminal shows the prompt")
                .until(() -> shown.append(write("").text()).indexOf("red> ") >= 0);
        assertThat(shown).contains("33 99\nred> ").doesNotContain("\r");
        assertThat(write("\u0003").text()).contains("hit\n");
        assertThat(write("x\n").text()).contains("x\nx dumb\n", "completed");
    }

    @Test
    void closingATerminalIsTheEndOfItsInput() {
        start("cat; echo over", "terminal");
        assertThat(close("half").text()).contains("half", "over", "completed");
    }

    @Test
    void whatCannotBeWrittenSaysWhy() {
        assertThatThrownBy(() -> write("x"))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("no background shell 'bash_1'");
        start("exec sleep 100", "run_in_background");
        assertThatThrownBy(() -> write("x")).hasMessageContaining("bash_1 has an empty input");
        call(new KillShellTool(shells), arguments().put("shell_id", "bash_1"));
        start("read a; exit 3", "stdin");
        WriteStdinTool tool = new WriteStdinTool(shells);
        ObjectNode second = arguments().put("shell_id", "bash_2").put("text", "x\n");
        assertThat(call(tool, second).text()).contains("failed");
        assertThatThrownBy(() -> call(tool, second)).hasMessageContaining("bash_2 has ended: nothing was written");
        start("exec sleep 100", "stdin");
        ObjectNode third = arguments().put("shell_id", "bash_3").put("close", true);
        assertThat(call(tool, third).text()).contains("running");
        assertThatThrownBy(() -> call(tool, third)).hasMessageContaining("has been closed");
        assertThatThrownBy(() -> call(tool, third.put("text", "x".repeat(70_000))))
                .hasMessageContaining("70000 bytes long");
    }

    @Test
    void aCommandThatDoesNotReadHoldsNobodyUp() {
        start("exec sleep 100", "stdin");
        assertThat(write("x".repeat(60_000)).text()).contains("running");
        assertThatThrownBy(() -> write("x".repeat(60_000))).hasMessageContaining("has not read all of the text");
        assertThatThrownBy(() -> write("x")).hasMessageContaining("an earlier call");
    }

    @Test
    void aForegroundCommandHasNoInputAndASizeIsASize() {
        assertThatThrownBy(() -> call(bash, arguments().put("command", ": >ran").put("terminal", true)))
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("run_in_background");
        assertThatThrownBy(() -> call(
                        bash,
                        arguments()
                                .put("command", ": >ran")
                                .put("run_in_background", true)
                                .put("terminal", true)
                                .put("terminal_size", "0x24")))
                .hasMessageContaining("0 columns");
        assertThat(home.resolve("ran")).doesNotExist();
    }

    @Test
    void whereOnlySomeCommandsAreAllowedNoneHasAnInput() {
        Tool restricted = bash(new AllowList(List.of("cat")));
        assertThat(restricted.inputSchema().toString()).doesNotContain("terminal");
        assertThat(bash.inputSchema().toString()).contains("terminal");
        assertThatThrownBy(() -> call(
                        restricted,
                        arguments()
                                .put("command", "cat")
                                .put("run_in_background", true)
                                .put("stdin", true)))
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("allows only some commands");
    }
}
