package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.Guarantee;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Tests C17 from the model's view: which state persists from one command to the next, and that the
 * tool says so where it does not.
 */
class PersistentStateTest extends SharedExecutorTest {

    private boolean claims(Guarantee guarantee) {
        return executor().guarantees().contains(guarantee);
    }

    private static String description(AgentSession session) {
        return tool(session, "bash").description();
    }

    @Test
    void C17_fileInTmpIsThereForNextCommand() {
        AgentSession session = session();
        if (claims(Guarantee.PRIVATE_TMP)) {
            run(session, "echo kept >/tmp/state-of-c17");
            assertThat(run(session, "cat /tmp/state-of-c17")).isEqualTo("kept\n");
            assertThat(Path.of("/tmp/state-of-c17")).doesNotExist();
            assertThat(description(session)).contains("/tmp is the session's own");
        } else {
            String file =
                    "\"${TMPDIR:-/tmp}/state-of-c17." + ProcessHandle.current().pid() + "\"";
            run(session, "echo kept >" + file);
            assertThat(run(session, "cat " + file + "; rm " + file))
                    .as("where the description says to put it")
                    .isEqualTo("kept\n");
            assertThat(description(session))
                    .contains("/tmp is not the session's own")
                    .contains("${TMPDIR:-/tmp}");
        }
    }

    @Test
    void C17_buildCacheInHomeServesNextCommand() {
        AgentSession session = session();
        if (claims(Guarantee.PRIVATE_HOME)) {
            String build =
                    "if [ -e ~/.cache/built ]; then echo from the cache; else mkdir -p ~/.cache && : >~/.cache/built"
                            + " && echo built; fi";
            assertThat(run(session, build)).isEqualTo("built\n");
            assertThat(run(session, build)).isEqualTo("from the cache\n");
            assertThat(Path.of(System.getProperty("user.home"), ".cache/built")).doesNotExist();
            assertThat(description(session)).contains("$HOME is the session's own");
        } else {
            assertThat(description(session)).contains("$HOME is not the session's own");
        }
    }

    @Test
    void C17_serverInBackgroundShellAnswersNextCommand() throws IOException {
        AgentSession session = session();
        int port = Servers.freePort();
        ToolResult started = start(session, Servers.serve(port, "hello"));
        assertThat(started.isError()).isFalse();
        if (claims(Guarantee.NETWORK_OFF) && !claims(Guarantee.PRIVATE_LOOPBACK)) {
            await("the server cannot open a socket")
                    .until(() -> output(session, "bash_1").text().contains("Status of bash_1: failed"));
            assertThat(description(session)).contains("Do not count on localhost");
            return;
        }
        await("the server listens").until(() -> output(session, "bash_1").text().contains("listening"));
        assertThat(run(session, Servers.fetch(port))).isEqualTo("hello\n");
        assertThat(description(session))
                .contains(
                        claims(Guarantee.PRIVATE_LOOPBACK)
                                ? "localhost is the session's own"
                                : "localhost is not the session's own");
    }

    @Test
    void C17_whatCommandLeavesRunningIsEndedAndModelLearnsHowToKeepService() {
        AgentSession session = session();
        ToolResult result = call(session, "bash", arguments("command", "sleep 300 >/dev/null 2>&1 & echo started"));
        assertThat(result.isError()).isFalse();
        assertThat(description(session)).contains("start a service with run_in_background, without & behind it");
        if (result.details().integer("leftoversEnded").orElse(0) > 0) {
            assertThat(result.text())
                    .contains(
                            "1 process that the command had left running was ended with it. To keep a service running,"
                                    + " start it with run_in_background, without & behind it.");
        } else {
            assertThat(backend)
                    .as("where the sandbox ends with its command, nobody can count")
                    .isEqualTo(Backend.BWRAP);
        }
    }
}
