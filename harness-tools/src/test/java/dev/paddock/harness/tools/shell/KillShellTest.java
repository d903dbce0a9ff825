package dev.paddock.harness.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.ToolResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the end of background shells that are killed. */
class KillShellTest extends ShellBench {
    @Test
    void killShellEndsTreeByTerm() {
        host.start("sleep 300 & echo $! >pid; mv pid child; wait");
        Path child = home.resolve("child");
        await("the child has written its process id").until(() -> Files.exists(child));
        ToolResult killed = host.kill("bash_1");
        assertThat(killed.isError()).isFalse();
        assertThat(killed.text())
                .containsPattern(
                        "^Status of bash_1: killed after [0-9.]+ seconds?\\. Command was ended by a signal, SIGTERM");
        await("the child has ended")
                .until(() -> ProcessHandle.of(
                                Long.parseLong(Files.readString(child).strip()))
                        .filter(ProcessHandle::isAlive)
                        .isEmpty());
        assertThat(host.kill("bash_1").text())
                .startsWith("bash_1 had ended before; nothing was killed. Status of bash_1: killed after ");
        assertThat(audits).singleElement().matches(audit -> audit.outcome() == CommandAudit.Outcome.ABORTED);
    }

    @Test
    void shellThatIgnoresTermIsKilledAfterGrace() {
        Bench bench = new Bench(commands, HASTY);
        bench.start("trap '' TERM; echo deaf; while :; do sleep 1; done");
        bench.awaitOutput("bash_1", "deaf");
        long before = System.nanoTime();
        ToolResult killed = bench.kill("bash_1");
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(HASTY.killGrace());
        assertThat(killed.text()).contains("killed after").contains("SIGKILL");
    }

    @Test
    void shellThatExitsByItsOwnCodeIsNotReportedKilled() {
        host.start("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
        host.awaitOutput("bash_1", "ready");
        ToolResult killed = host.kill("bash_1");
        assertThat(killed.text())
                .contains("bash_1: completed after")
                .contains("Command exited with code 0, after it received SIGTERM.")
                .contains("bash_output gives the rest of its output.");
        assertThat(host.output("bash_1").text()).contains("bye\n");
    }

    @Test
    void killingEndedShellReportsItsStatus() {
        host.start("exit 3");
        host.untilItsEnd("bash_1");
        ToolResult killed = host.kill("bash_1");
        assertThat(killed.isError()).isFalse();
        assertThat(killed.text())
                .startsWith("bash_1 had ended before; nothing was killed. Status of bash_1: failed after ")
                .contains("exited with code 3");
    }

    @Test
    void exitBeforeKillIsNotReportedKilled() {
        FakeProcess process = FakeProcess.writing("");
        Bench bench = new Bench((command, options) -> process, HASTY);
        bench.start("anything");
        // Ended by a SIGTERM from elsewhere; the executor is still cleaning up after it.
        process.onExit().complete(new ExitStatus.Signaled(Signal.TERM));
        assertThat(bench.kill("bash_1").text())
                .startsWith("bash_1 had ended before")
                .contains("bash_1: failed");
    }

    @Test
    void killThatIsAbortedIsNotTakenBack() {
        Bench bench = new Bench(commands, HASTY);
        bench.start("trap '' TERM; echo deaf; while :; do sleep 0.1; done");
        bench.awaitOutput("bash_1", "deaf");
        AbortController abort = new AbortController();
        abort.abort();
        ToolResult result = call(bench.kill, arguments("shell_id", "bash_1"), abort.signal());
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).contains("1 second later, SIGKILL, but has not been seen to end yet");
        assertThat(bench.untilItsEnd("bash_1")).contains("bash_1: killed after");
    }

    /** A machine ends a few processes at a time. */
    @Test
    void waitForAllShellsGrowsWithTheirNumber() {
        assertThat(ShellBounds.STANDARD.killPatience(300))
                .isEqualTo(ShellBounds.STANDARD.killPatience().plusSeconds(30));
        assertThat(BackgroundShells.patience(300)).isEqualTo(ShellBounds.STANDARD.killPatience(300));
    }

    @Test
    void closingWaitsForAllShellsAndRefusesNewOnes() {
        long pid = host.start("exec sleep 300").details().integer("pid").orElseThrow();
        host.shells.endAll();
        assertThat(host.output("bash_1").text()).contains("bash_1: killed after");
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThatThrownBy(() -> host.start("touch ran"))
                .hasMessage("The session is being closed: the command was not run.");
    }
}
