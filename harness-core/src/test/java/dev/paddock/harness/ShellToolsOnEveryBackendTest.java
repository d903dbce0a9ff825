package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.Guarantee;
import dev.paddock.harness.tools.ToolResult;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests the tools bash, bash_output and kill_shell on every backend, as far as they depend on it; the tools' own tests
 * cover the rest on the host.
 */
@Tag("full")
class ShellToolsOnEveryBackendTest extends SharedExecutorTest {
    private static final String SERVER = "command -v perl >&2 && exec perl -MIO::Socket::INET -e '"
            + "$s = IO::Socket::INET->new(Listen => 5, LocalAddr => \"127.0.0.1\", LocalPort => 3000) or die $!;"
            + " while ($c = $s->accept) { print $c \"hello\"; close $c }';"
            + " while :; do echo hello | nc -l -p 3000; done";

    @Test
    void deathBySignalNamesSignalAndItsCode() {
        ToolResult result = call(session(), "bash", arguments("command", "echo so far; kill -9 $$"));
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).startsWith("so far\n").contains("SIGKILL").endsWith("137");
    }

    @Test
    void treeThatIgnoresTermIsKilledAndResultIsBackInTime() {
        AgentSession session = session();
        String token = token();
        long start = System.nanoTime();
        ToolResult result = call(
                session,
                "bash",
                arguments("command", "trap '' TERM; echo deaf; (sleep " + token + ") & wait; sleep " + token)
                        .with("timeout", 5));
        // 5 s of timeout, 2 s of grace, 1 s more, and a margin for a loaded machine.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        assertThat(result.text()).startsWith("deaf\n").contains("timed out after 5 seconds");
        await("the tree that ignores SIGTERM has ended").until(() -> !runs(token));
    }

    @Test
    void abortKeepsWhatWasWritten() throws Exception {
        AgentSession session = session();
        AbortController abort = new AbortController();
        CompletableFuture<ToolResult> running = CompletableFuture.supplyAsync(
                () -> call(session, "bash", arguments("command", "echo begun; exec sleep 300"), abort.signal()));
        await("the command has written \"begun\"").until(() -> updates.contains("begun\n"));
        abort.abort();
        assertThat(running.get(30, TimeUnit.SECONDS).text()).startsWith("begun\n\nCommand aborted");
    }

    @Test
    void standardInputIsEmptyAndNobodyIsAsked() {
        assertThat(run(session(), "cat; read line; echo \"$? $GIT_TERMINAL_PROMPT $PAGER\""))
                .isEqualTo("1 0 cat\n");
    }

    @Test
    void grandchildThatHoldsPipeDoesNotHoldResultAndIsEnded() {
        AgentSession session = session();
        String token = token();
        long start = System.nanoTime();
        assertThat(run(session, "sleep " + token + " & echo up")).startsWith("up\n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        await("the grandchild that held the pipe has ended").until(() -> !runs(token));
    }

    @Test
    void publishedPortAnswersUntilItsShellIsKilledAndEveryResultNamesIt() throws Exception {
        AgentSession session = session();
        boolean isPublished = executor().guarantees().contains(Guarantee.PUBLISHED_PORTS);
        ToolResult started = call(
                session,
                "bash",
                arguments("command", SERVER).with("run_in_background", true).with("publish", 3000));
        if (!isPublished) {
            assertThat(started.isError()).isTrue();
            assertThat(started.text()).contains("cannot publish port 3000");
            return;
        }
        Matcher address = Pattern.compile("Port 3000 is (127\\.0\\.0\\.1:(\\d+)) on the user's machine\\.")
                .matcher(started.text());
        assertThat(address.find()).as(started.text()).isTrue();
        int port = Integer.parseInt(address.group(2));
        try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
            assertThat(socket.getInputStream().readAllBytes()).asString().startsWith("hello");
        }
        ToolResult output = output(session, "bash_1");
        assertThat(output.text()).contains(address.group());
        assertThat(output.details().text("published").orElseThrow()).isEqualTo(address.group(1));
        assertThat(call(session, "kill_shell", arguments("shell_id", "bash_1")).text())
                .contains("bash_1: killed after")
                .doesNotContain("Port 3000");
        assertThatThrownBy(() -> new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port).close())
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void statusesOfEndedShellsAreCorrect() {
        AgentSession session = session();
        start(session, "echo fine");
        start(session, "exit 3");
        start(session, "kill -SEGV $$");
        start(session, "exec sleep 300");
        await("bash_1 has completed")
                .until(() -> output(session, "bash_1").text().contains("bash_1: completed after"));
        await("bash_2 has failed").until(() -> output(session, "bash_2").text().contains("bash_2: failed after"));
        await("bash_3 has died of SIGSEGV")
                .until(() -> output(session, "bash_3").text().contains("SIGSEGV: exit code 139"));
        assertThat(output(session, "bash_4").text()).contains("bash_4: running for");
        assertThat(call(session, "kill_shell", arguments("shell_id", "bash_4")).text())
                .contains("bash_4: killed after");
        assertThat(call(session, "kill_shell", arguments("shell_id", "bash_2")).text())
                .startsWith("bash_2 had ended before; nothing was killed. Status of bash_2: failed after ");
    }
}
