package dev.paddock.harness.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.tools.Json;
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

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path home;

    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    private final HostExecutor host = HostExecutor.create();
    private LogDirectory logs = new LogDirectory(Path.of("/"), 0);
    private CommandRunner runner;
    private BackgroundShells shells;
    private Tool bash;

    @BeforeEach
    void open() {
        logs = new LogDirectory(home.resolve("logs"), Long.MAX_VALUE);
        runner = new CommandRunner(host, home.toString(), Map.of(), LIMITS.killGrace(), logs, clock);
        shells = shells(ShellBounds.STANDARD);
        bash = bash((command, signal) -> {});
    }

    private BackgroundShells shells(ShellBounds bounds) {
        return new BackgroundShells(runner, logs, 3, workers, bounds);
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

    private static Json arguments() {
        return Json.object();
    }

    private ToolResult call(Tool tool, Json arguments) {
        return tool.execute(new ToolCall("call", tool.name(), arguments), new QuietContext(AbortSignal.never()));
    }

    private ToolResult start(String command, String input) {
        return call(
                bash,
                arguments()
                        .with("command", command)
                        .with("run_in_background", true)
                        .with(input, true));
    }

    private ToolResult write(String text) {
        return call(
                new WriteStdinTool(shells),
                arguments().with("shell_id", "bash_1").with("text", text));
    }

    private ToolResult close(String text) {
        return call(
                new WriteStdinTool(shells),
                arguments().with("shell_id", "bash_1").with("text", text).with("close", true));
    }

    private ToolResult read(String id) {
        return call(new BashOutputTool(shells), arguments().with("shell_id", id));
    }

    /** Reads on after a first result, since output may come in pieces, until it contains the text. */
    private String until(String text, ToolResult first) {
        StringBuilder output = new StringBuilder(output(first));
        await("the shell has written '" + text + "'")
                .atMost(PATIENCE)
                .until(() -> output.indexOf(text) >= 0
                        || output.append(output(read("bash_1"))).indexOf(text) >= 0);
        return output.toString();
    }

    /** Returns the output of a result without the notices after it. */
    private static String output(ToolResult result) {
        return result.text()
                .substring(0, (int) result.details().integer("totalBytes").orElseThrow());
    }

    private void awaitEnd(String id, String status) {
        await(id + " has " + status)
                .atMost(PATIENCE)
                .until(() -> read(id).text().contains("Status of " + id + ": " + status));
    }

    @Test
    void textReachesCommandAndItsAnswerIsReturnedWithUnfinishedLine() {
        assertThat(start("while read -r a; do printf 'got %s>' \"$a\"; done; echo over", "stdin")
                        .text())
                .contains("write_stdin writes to its input");
        ToolResult first = write("one\n");
        assertThat(first.text()).contains("running");
        assertThat(until("got one>", first)).isEqualTo("got one>");
        assertThat(until("got two>", write("two\n"))).isEqualTo("got two>");
        assertThat(until("over\n", close("three\n"))).isEqualTo("got three>over\n");
        awaitEnd("bash_1", "completed");
    }

    @Test
    void terminalHasItsSizeItsKeysAndNoControlSequences() {
        ToolResult started = call(
                bash,
                arguments()
                        .with(
                                "command",
                                // The loop ends whenever the key comes.
                                "trap 'echo hit; hit=1' INT; stty size; printf '\\033[31mred\\033[0m> ';"
                                        + " until [ \"$hit\" ]; do sleep 0.05; done; read b; echo \"$b $TERM\"")
                        .with("run_in_background", true)
                        .with("terminal", true)
                        .with("terminal_size", "99x33"));
        assertThat(started.isError()).as(started.text()).isFalse();
        assertThat(until("red> ", write(""))).isEqualTo("33 99\nred> ");
        assertThat(until("hit\n", write("\u0003"))).doesNotContain("\r");
        assertThat(until("dumb\n", write("x\n"))).isEqualTo("x\nx dumb\n");
        awaitEnd("bash_1", "completed");
    }

    @Test
    void closingTerminalIsEndOfItsInput() {
        start("cat; echo over", "terminal");
        assertThat(until("over", close("half"))).contains("half");
        awaitEnd("bash_1", "completed");
    }

    @Test
    void whatCannotBeWrittenSaysWhy() {
        assertThatThrownBy(() -> write("x"))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("no background shell 'bash_1'");
        start("exec sleep 100", "run_in_background");
        assertThatThrownBy(() -> write("x")).hasMessageContaining("bash_1 has an empty input");
        call(new KillShellTool(shells), arguments().with("shell_id", "bash_1"));
        start("read a; exit 3", "stdin");
        WriteStdinTool tool = new WriteStdinTool(shells);
        Json second = arguments().with("shell_id", "bash_2").with("text", "x\n");
        assertThat(call(tool, second).text()).contains("Status of bash_2: ");
        awaitEnd("bash_2", "failed");
        assertThatThrownBy(() -> call(tool, second)).hasMessageContaining("bash_2 has ended: nothing was written");
        start("exec sleep 100", "stdin");
        Json third = arguments().with("shell_id", "bash_3").with("close", true);
        assertThat(call(tool, third).text()).contains("running");
        assertThatThrownBy(() -> call(tool, third)).hasMessageContaining("has been closed");
        assertThatThrownBy(() -> call(tool, third.with("text", "x".repeat(70_000))))
                .hasMessageContaining("70000 bytes long");
    }

    @Test
    void commandThatDoesNotReadBlocksNoCall() {
        ShellBounds standard = ShellBounds.STANDARD;
        shells = shells(new ShellBounds(standard.killGrace(), standard.drain(), Duration.ofSeconds(1)));
        bash = bash((command, signal) -> {});
        start("exec sleep 100", "stdin");
        assertThat(write("x".repeat(60_000)).text()).contains("running");
        assertThatThrownBy(() -> write("x".repeat(60_000)))
                .hasMessageContaining("has not read all of the text within 1 second");
        assertThatThrownBy(() -> write("x")).hasMessageContaining("an earlier call");
    }

    @Test
    void inputNeedsBackgroundAndSizeIsChecked() {
        assertThatThrownBy(
                        () -> call(bash, arguments().with("command", ": >ran").with("terminal", true)))
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("run_in_background");
        assertThatThrownBy(() -> call(
                        bash,
                        arguments()
                                .with("command", ": >ran")
                                .with("run_in_background", true)
                                .with("terminal", true)
                                .with("terminal_size", "0x24")))
                .hasMessageContaining("0 columns");
        assertThat(home.resolve("ran")).doesNotExist();
    }

    @Test
    void whereOnlySomeCommandsAreAllowedNoneHasInput() {
        Tool restricted = bash(new AllowList(List.of("cat")));
        assertThat(restricted.inputSchema().toString()).doesNotContain("terminal");
        assertThat(bash.inputSchema().toString()).contains("terminal");
        assertThatThrownBy(() -> call(
                        restricted,
                        arguments()
                                .with("command", "cat")
                                .with("run_in_background", true)
                                .with("stdin", true)))
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("allows only some commands");
    }
}
