package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the directory that lasts from command to command, on the host, where a hostile report could do the most. */
class KeptDirectoryTest extends SessionTest {

    @BeforeEach
    void makeDirectories() throws IOException {
        worktree = worktree.toRealPath();
        Files.createDirectories(worktree.resolve("a/b"));
        Files.createDirectory(worktree.resolve("c"));
    }

    private AgentSession keeping() {
        return open(builder(script("")).keepDirectory(true));
    }

    private static ToolResult bash(AgentSession session, String command) {
        return bash(session, Json.object().with("command", command));
    }

    private static ToolResult bash(AgentSession session, Json arguments) {
        return session.call(new ToolCall("call", "bash", arguments), AbortSignal.never(), text -> {});
    }

    private static String starts(AgentSession session) {
        return bash(session, "pwd -P").text().lines().findFirst().orElseThrow();
    }

    @Test
    void nextCommandStartsWhereLastOneEnded() {
        AgentSession session = keeping();
        ToolResult moved = bash(session, "cd a && echo here");
        assertThat(moved.text()).isEqualTo("here\n\n[The next command starts in " + worktree.resolve("a") + ".]");
        assertThat(moved.details().text("nextDirectory").orElseThrow())
                .isEqualTo(worktree.resolve("a").toString());
        assertThat(starts(session)).isEqualTo(worktree.resolve("a").toString());
        assertThat(bash(session, "cd b; V=1; exit 3").text()).contains("code 3");
        assertThat(bash(session, "pwd -P; echo \"<$V>\"").text())
                .startsWith(worktree.resolve("a/b") + "\n<>\n")
                .contains("[The next command starts in " + worktree.resolve("a/b") + ".]");
        assertThat(bash(session, "cd ../..").text()).isEqualTo("(no output)");
        assertThat(starts(session)).isEqualTo(worktree.toString());
    }

    @Test
    void withoutOptionEachCommandStartsInSessionsDirectory() {
        AgentSession session = open(builder(script("")));
        assertThat(bash(session, "cd a").text()).isEqualTo("(no output)");
        assertThat(starts(session)).isEqualTo(worktree.toString());
        assertThat(session.tools().getFirst().description()).contains("a cd or a variable does not last");
    }

    @Test
    void descriptionSaysWhatLasts() {
        assertThat(keeping().tools().getFirst().description())
                .contains("starts where the last command ended")
                .contains("variables and functions do not last")
                .contains("write_stdin");
    }

    @Test
    void argumentTakesPrecedence() {
        AgentSession session = keeping();
        var unused = bash(session, "cd a");
        Json elsewhere = Json.object().with("cwd", "c");
        assertThat(bash(session, elsewhere.with("command", "pwd -P")).text()).startsWith(worktree.resolve("c") + "\n");
        assertThat(starts(session))
                .as("a command that stays where it starts moves nothing")
                .isEqualTo(worktree.resolve("a").toString());
        var unusedToo = bash(session, elsewhere.with("command", "cd ."));
        assertThat(starts(session)).isEqualTo(worktree.resolve("a").toString());
    }

    @Test
    void backgroundShellStartsInKeptDirectory() {
        AgentSession session = keeping();
        var unused = bash(session, "cd a/b");
        var started = bash(session, Json.object().with("command", "pwd -P").with("run_in_background", true));
        assertThat(started.isError()).isFalse();
        Json wait = Json.object().with("shell_id", "bash_1").with("wait_seconds", 30);
        ToolResult output = session.call(new ToolCall("call", "bash_output", wait), AbortSignal.never(), text -> {});
        assertThat(output.text()).startsWith(worktree.resolve("a/b") + "\n");
    }

    @Test
    void stderrStaysInOrderAndReportingCodeIsNotShown() {
        AgentSession session = keeping();
        assertThat(bash(session, "cd a; echo 1; echo 2 >&2; echo 3; cd ..").text())
                .isEqualTo("1\n2\n3\n");
        assertThat(bash(session, "cd a; if then").text()).contains("then").doesNotContain("trap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cd /",
                "cd ..",
                "ln -s / out; cd out",
                "ln -s / out; cd -P out/etc",
                "mkdir gone; cd gone; rmdir ../gone",
            })
    void directoryElsewhereIsNotKept(String command) {
        AgentSession session = keeping();
        var unused = bash(session, "cd a");
        assertThat(bash(session, "cd ..; " + command).text()).contains("starts in " + worktree + "/a.");
        assertThat(starts(session)).isEqualTo(worktree.resolve("a").toString());
    }

    /** A command may write the report itself, since the descriptor is open in its shell. */
    @Test
    void forgedReportIsCheckedAsTrueOne() throws IOException {
        Files.createSymbolicLink(worktree.resolve("out"), home);
        Files.writeString(worktree.resolve("file"), "");
        AgentSession session = keeping();
        for (String path : new String[] {
            "/",
            "/etc",
            "a",
            "",
            worktree + "/a/../..",
            worktree + "/out",
            worktree + "/file",
            "/proc/self/cwd",
            worktree + "/missing",
            worktree + "/" + "a/".repeat(3000)
        }) {
            var unused = bash(session, forged("\\0" + path + "\\n\\0"));
            assertThat(starts(session)).as(path).isEqualTo(worktree.toString());
        }
        var unused = bash(session, forged("\\0" + worktree + "/c\\n\\0"));
        assertThat(starts(session))
                .as("the report did arrive")
                .isEqualTo(worktree.resolve("c").toString());
    }

    private static String forged(String report) {
        return "eval 'trap - EXIT'; printf '" + report + "' >&8";
    }

    @Test
    void reportWithoutEndIsBounded() {
        AgentSession session = keeping();
        ToolResult result = bash(
                session,
                "eval 'trap - EXIT'; echo begun; { printf '\\0'; head -c 50000000 /dev/zero |"
                        + " tr '\\0' x; } >&8; echo done");
        assertThat(result.text()).isEqualTo("begun\ndone\n");
        assertThat(starts(session)).isEqualTo(worktree.toString());
    }

    @Test
    void directoryThatBecomesLinkOutIsNotEntered() throws IOException {
        AgentSession session = keeping();
        var unused = bash(session, "cd c");
        Files.delete(worktree.resolve("c"));
        Files.createSymbolicLink(worktree.resolve("c"), home);
        assertThat(bash(session, "pwd -P").text())
                .startsWith(worktree + "\n")
                .contains(worktree.resolve("c") + " cannot be used any more: commands start in " + worktree + " again");
        assertThat(bash(session, "pwd -P").text()).as("said once").isEqualTo(worktree + "\n");
    }

    @Test
    void lastOfParallelCommandsToEndDecides() throws Exception {
        AgentSession session = keeping();
        CompletableFuture<ToolResult> slow = CompletableFuture.supplyAsync(
                () -> bash(session, "mkfifo begun end; : >begun; cd a; read line <" + worktree.resolve("end") + "; :"));
        var unusedBegun = bash(session, "until [ -p begun ]; do sleep 0.01; done; cat begun; cd c");
        assertThat(starts(session)).isEqualTo(worktree.resolve("c").toString());
        Files.writeString(worktree.resolve("end"), "now\n");
        assertThat(slow.get(30, TimeUnit.SECONDS).isError()).isFalse();
        assertThat(starts(session)).isEqualTo(worktree.resolve("a").toString());
    }

    @Test
    void directoryIsKnownUnderCommandsName() throws IOException {
        Path alias = Files.createSymbolicLink(home.resolve("alias"), worktree);
        AgentSession session =
                open(builder(script("")).execCwd(alias.toString()).keepDirectory(true));
        assertThat(bash(session, "cd a").text()).contains("The next command starts in " + alias.resolve("a"));
        assertThat(starts(session)).isEqualTo(worktree.resolve("a").toString());
    }
}
