package dev.paddock.harness.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnException;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.output.LogDirectory;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests what background shells write and report, and how they end by themselves. */
class BackgroundShellsTest extends ShellBench {
    @Test
    void startNamesIdProcessAndBothTools() {
        ToolResult first = host.start("exec sleep 300");
        long pid = first.details().integer("pid").orElseThrow();
        assertThat(ProcessHandle.of(pid)).isPresent();
        assertThat(first.isError()).isFalse();
        assertThat(first.text())
                .startsWith("Started in the background as bash_1 (pid " + pid + ").")
                .contains("bash_output with shell_id \"bash_1\"")
                .contains("kill_shell with shell_id \"bash_1\"");
        assertThat(host.start("true").text()).contains("as bash_2 (pid ");
    }

    @Test
    void limitOfShellsHoldsForConcurrentCalls() {
        List<ToolResult> results = new CopyOnWriteArrayList<>();
        List<ToolException> refusals = new CopyOnWriteArrayList<>();
        IntStream.range(0, 8).parallel().forEach(i -> {
            try {
                results.add(host.start("exec sleep 300"));
            } catch (ToolException refusal) {
                refusals.add(refusal);
            }
        });
        assertThat(results).hasSize(MAX_LIVE);
        assertThat(refusals)
                .hasSize(5)
                .first()
                .satisfies(
                        refusal -> assertThat(refusal)
                                .hasMessage(
                                        "3 background shells are running, as many as this session allows: bash_1, bash_2, bash_3. The"
                                                + " command was not run. End one with kill_shell, or wait until one has ended."));
        assertThat(audits).hasSize(5).allMatch(audit -> audit.outcome() == CommandAudit.Outcome.DENIED);
        host.kill("bash_2");
        assertThat(host.start("true").text()).contains("as bash_4");
    }

    @Test
    void outputComesInPieces() {
        ToolResult started = host.start("echo one; echo two >&2; exec sleep 300");
        assertThat(started.isError()).isFalse();
        host.awaitOutput("bash_1", "two\n");
        ToolResult nothing = call(host.output, arguments("shell_id", "bash_1"), AbortSignal.never());
        assertThat(nothing.text()).matches("\\(no new output\\)\n\nStatus of bash_1: running for [0-9.]+ seconds?\\.");
        ToolResult killed = call(host.kill, arguments("shell_id", "bash_1"), AbortSignal.never());
        assertThat(killed.text()).contains("Status of bash_1: killed after ");
    }

    @Test
    void shellsToolsRequireSameIdByOneName() {
        for (Tool tool : List.of(host.output, host.kill, new WriteStdinTool(host.shells))) {
            assertThat(tool.inputSchema().get("required")).as(tool.name()).contains(Json.of(List.of("shell_id")));
            assertThat(tool.inputSchema().get("properties").orElseThrow().get("bash_id"))
                    .isEmpty();
            assertThatThrownBy(() -> call(tool, Json.object(), AbortSignal.never()))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("'shell_id' is missing");
        }
    }

    @Test
    void shellThatExitsHasCompletedOrFailed() {
        host.start("echo fine");
        assertThat(host.untilItsEnd("bash_1"))
                .contains("fine\n")
                .containsPattern("Status of bash_1: completed after [0-9.]+ seconds?\\. Command exited with code 0\\.");
        host.start("printf unfinished; exit 3");
        assertThat(host.untilItsEnd("bash_2"))
                .contains("unfinished")
                .containsPattern("Status of bash_2: failed after [0-9.]+ seconds?\\. Command exited with code 3\\.");
        assertThat(audits)
                .extracting(CommandAudit::outcome)
                .containsExactly(CommandAudit.Outcome.OK, CommandAudit.Outcome.FAILED);
        assertThat(audits.getFirst().outputBytes()).isEqualTo(5);
    }

    @Test
    void foreignSignalIsFailureThatNamesIt() {
        host.start("kill -SEGV $$");
        assertThat(host.untilItsEnd("bash_1"))
                .contains("bash_1: failed after ")
                .contains("ended by a signal, SIGSEGV: exit code 139");
        host.start("kill -TERM $$");
        assertThat(host.untilItsEnd("bash_2"))
                .as("TERM, but not kill_shell's")
                .contains("bash_2: failed after ")
                .contains("SIGTERM: exit code 143");
    }

    @Test
    void outOfMemoryAndLostSandboxAreNamed() {
        FakeProcess starved = FakeProcess.writing("")
                .ended(new ExitStatus.OutOfMemory(OptionalLong.of(64 << 20)), CleanupReport.NONE);
        Bench bench = new Bench((command, options) -> starved);
        bench.start("anything");
        assertThat(bench.untilItsEnd("bash_1"))
                .contains("bash_1: failed")
                .contains("ran out of memory")
                .contains("64 MiB");
        FakeProcess lost = FakeProcess.writing("so far\n");
        Bench other = new Bench((command, options) -> lost);
        other.start("anything");
        lost.onExit().completeExceptionally(new SandboxLostException("test", "the container is gone"));
        lost.onClosed().completeExceptionally(new SandboxLostException("test", "the container is gone"));
        assertThat(other.untilItsEnd("bash_1"))
                .contains("so far\n")
                .contains("bash_1: failed")
                .contains("the container is gone")
                .contains("unknown");
        assertThat(audits).last().matches(audit -> audit.outcome() == CommandAudit.Outcome.LOST);
    }

    @Test
    void shellThatCannotStartHasFailedAndItsOutputNamesReason() {
        Bench bench = new Bench((command, options) -> {
            throw new SpawnException("the working directory does not exist: '/gone'");
        });
        ToolResult started = bench.start("anything");
        assertThat(started.isError()).isTrue();
        assertThat(started.text())
                .startsWith("Status of bash_1: failed after ")
                .contains("could not be started, and was not run: the working directory does not exist: '/gone'.");
        assertThat(bench.output("bash_1").text())
                .startsWith("the working directory does not exist: '/gone'\n")
                .contains("bash_1: failed");
        assertThat(audits).singleElement().satisfies(audit -> {
            assertThat(audit.outcome()).isEqualTo(CommandAudit.Outcome.FAILED);
            assertThat(audit.outputBytes()).isZero();
        });
    }

    @Test
    void unknownIdIsAnswered() {
        assertThatThrownBy(() -> host.output("bash_7"))
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith("There is no background shell 'bash_7'. This session has not started any;");
        host.start("exec sleep 300");
        assertThatThrownBy(() -> host.kill("bash_7")).hasMessageContaining("This session's are bash_1 (running);");
    }

    @Test
    void invalidFilterGivesAllOutputAndNotice() {
        host.start("echo one; echo two");
        await("the shell has ended").until(() -> !host.shells.named("bash_1").isLive());
        ToolResult read =
                call(host.output, arguments("shell_id", "bash_1").with("filter", "(unclosed"), AbortSignal.never());
        assertThat(read.isError()).isFalse();
        assertThat(read.text())
                .startsWith("one\ntwo\n")
                .contains("[The filter was not applied, and all new output is given: it is no regular expression:");
    }

    @Test
    void C8_whatCommandLeftRunningIsReported() {
        host.start("sleep 300 & echo started");
        assertThat(host.untilItsEnd("bash_1"))
                .contains("[1 process that the command had left running was ended with it. A background shell ends"
                        + " with its command: start a service without & behind it.]")
                .contains("bash_1: completed");
    }

    @Test
    void withBackgroundSwitchedOffItIsRefusedAndNotRun() {
        LogDirectory logs = new LogDirectory(home.resolve("logs"), 0);
        CommandRunner runner = new CommandRunner(commands, home.toString(), Map.of(), LIMITS.killGrace(), logs, clock);
        Tool bash = new BashTool(
                runner, (command, signal) -> {}, LIMITS, Background.OFF, new AuditTrail("test", audits::add));
        assertThatThrownBy(() -> call(
                        bash, arguments("command", "touch ran").with("run_in_background", true), AbortSignal.never()))
                .hasMessageContaining("switched off")
                .hasMessageContaining("was not run");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void waitEndsWithShell() {
        host.start("while [ ! -e gate ]; do sleep 0.01; done; echo done; exit 3");
        host.start("touch gate");
        assertThat(host.wait("bash_1", 60, "").text())
                .startsWith("done\n")
                .contains("Status of bash_1: failed")
                .contains("code 3");
    }

    @Test
    void waitEndsAtLineWithPattern() {
        host.start("echo starting; printf 'listening on 3000'; while [ ! -e gate ]; do sleep 0.01; done; echo");
        assertThat(host.wait("bash_1", 60, "listening on [0-9]+").text())
                .startsWith("starting\n")
                .contains("The last line is not complete yet")
                .contains("running");
        assertThat(host.wait("bash_1", 0.05, "starting").text())
                .contains("Waited 0.05 seconds")
                .contains("no new line contains the pattern");
        assertThatThrownBy(() -> host.wait("bash_1", 601, "")).hasMessageContaining("give 0 to 600");
        assertThatThrownBy(() -> host.wait("bash_1", 1, "(")).hasMessageContaining("until is not a regular expression");
        host.kill("bash_1");
    }

    @Test
    void abortEndsWaitAndNothingIsRead() {
        host.start("echo kept; exec sleep 1000");
        await("it has written").until(() -> host.shells.named("bash_1").hasUnread());
        AbortController abort = new AbortController();
        abort.abort("enough");
        assertThatThrownBy(() ->
                        call(host.output, arguments("shell_id", "bash_1").with("wait_seconds", 60), abort.signal()))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("Nothing was read");
        assertThat(host.output("bash_1").text()).startsWith("kept\n");
    }

    @Test
    void endsAreTakenOnceAndFewAtATime() throws Exception {
        host.start("exit 3");
        host.start("true");
        host.wait("bash_2", 60, "");
        host.shells.named("bash_1").over().get();
        assertThat(host.shells.takeEnded())
                .singleElement()
                .asString()
                .startsWith("[bash_1 has ended: failed after")
                .contains("code 3");
        for (int i = 3; i <= 8; i++) {
            host.start("true");
            host.shells.named("bash_" + i).over().get();
        }
        assertThat(host.shells.takeEnded()).hasSize(5);
        assertThat(host.shells.takeEnded()).singleElement().asString().startsWith("[bash_8 has ended: completed");
        assertThat(host.shells.takeEnded()).isEmpty();
    }

    @Test
    void shellStartsWhereItsCallSays() throws Exception {
        Files.createDirectory(home.resolve("sub"));
        call(
                host.bash,
                arguments("command", "pwd").with("run_in_background", true).with("cwd", "sub"),
                AbortSignal.never());
        assertThat(host.wait("bash_1", 60, "").text()).startsWith(home.resolve("sub") + "\n");
    }
}
