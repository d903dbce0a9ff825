package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.LoopTest.TestTool;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests on every backend that commands run in the sandbox and file tools on the host, over one
 * worktree.
 */
class HostAndSandboxSplitTest extends SharedExecutorTest {
    /**
     * The variables that a command may have without being given them: those of the base
     * environment, the shell, the executor and NonInteractiveEnvironment.
     */
    private static final Pattern KNOWN = Pattern.compile("PATH|HOME|LANG|LC_.*|TERM|TZ|USER|LOGNAME|SHELL|HOSTNAME|PWD|"
            + "OLDPWD|SHLVL|_|TMPDIR|GEM_HOME|JAVA_TOOL_OPTIONS|PADDOCK_COMMAND|GIVEN|GIT_.*|GCM_INTERACTIVE|GH_PROMPT_DISABLED|.*PAGER|"
            + "DEBIAN_FRONTEND|PIP_NO_INPUT|npm_config_fetch_retr.*|PIP_RETRIES|CARGO_NET_RETRY");

    private static final String CANARY = "canary-" + UUID.randomUUID();

    /** The output of one program for all backends: its start takes longer than all its commands. */
    private static List<String> canaries = List.of();

    private String commandPath() {
        return backend.mapping(worktree).commandPath();
    }

    @Test
    void commandRunsInItsBackend() throws IOException {
        String inside = run(session(), "readlink /proc/self/ns/mnt; grep ^Seccomp: /proc/self/status; echo $((6 * 7))");
        assertThat(inside).endsWith("42\n");
        String mine = Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")).toString();
        switch (backend) {
            case HOST -> assertThat(inside).contains(mine);
            case BWRAP, DOCKER -> assertThat(inside).doesNotContain(mine);
            case LANDLOCK -> assertThat(inside).contains("Seccomp:\t2");
        }
    }

    @Test
    void pwdIsExecCwd() {
        assertThat(run(session(), "pwd")).isEqualTo(commandPath() + "\n");
    }

    @Test
    void hostEditIsVisibleInside() throws IOException {
        Files.writeString(worktree.resolve("edited"), "before\n");
        AgentSession session = session();
        assertThat(run(session, "cat edited")).isEqualTo("before\n");
        call(
                session,
                "edit",
                arguments("path", "edited").with("old_string", "before").with("new_string", "after"));
        assertThat(run(session, "cat edited")).isEqualTo("after\n");
    }

    @Test
    void writeInsideIsVisibleOutside() {
        run(session(), "mkdir -p made && echo inside >made/file");
        assertThat(worktree.resolve("made/file")).hasContent("inside\n");
    }

    @Test
    void fileToolsUseHostDirectory() {
        AgentSession session = session();
        call(session, "write", arguments("path", "tools/file").with("content", "by a tool\n"));
        assertThat(worktree.resolve("tools/file")).hasContent("by a tool\n");
        assertThat(call(session, "read", arguments("path", commandPath() + "/tools/file"))
                        .text())
                .contains("by a tool");
        assertThat(call(session, "ls", arguments("path", "tools")).text()).contains("file");
    }

    @Test
    void noHostVariableIsInside() {
        String inside = run(session(), "env");
        assertThat(inside.lines().map(line -> line.replaceFirst("=.*", ""))).allMatch(KNOWN.asMatchPredicate());
        assertThat(System.getenv().keySet())
                .as("this program has variables that a command does not get")
                .anyMatch(KNOWN.asMatchPredicate().negate());
    }

    /** Canaries also have names of the kinds that the session itself sets for commands. */
    @Test
    void noCanaryOfHostsEnvironmentIsInside() throws Exception {
        if (canaries.isEmpty()) {
            canaries = EnvironmentProgram.run(home, CANARY);
        }
        List<String> printed = canaries;
        assertThat(printed)
                .as("the program has the canaries itself")
                .contains(
                        "program GIT_CANARY", "program GIT_PAGER", "program CANARY_PAGER", "program JAVA_TOOL_OPTIONS");
        assertThat(printed).as("a command's environment").anyMatch(line -> line.startsWith(backend + " PATH="));
        assertThat(printed).noneMatch(line -> line.startsWith(backend + " ") && line.contains(CANARY));
    }

    @Test
    void givenEnvironmentIsInside() {
        assertThat(run(session(), "echo \"$GIVEN\"")).isEqualTo("a value\n");
    }

    @Test
    void pathIsAsConfigured() {
        assertThat(run(session(), "echo \"$PATH\"")).isEqualTo(PATH + "\n");
    }

    @Test
    void exitCodeIsCommandsOwn() {
        ToolResult result = call(session(), "bash", arguments("command", "exit 7"));
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).endsWith("Command exited with code 7");
        assertThat(result.details().integer("exitCode").orElseThrow()).isEqualTo(7);
    }

    @Test
    void stderrComesWithStdoutInOrder() {
        assertThat(run(session(), "echo one; echo two >&2; echo three")).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void outputIsStreamed() throws Exception {
        AgentSession session = session();
        CompletableFuture<String> running = CompletableFuture.supplyAsync(
                () -> run(session, "echo first; until [ -e go ]; do sleep 0.05; done; echo second"));
        await("the first line is reported while the command runs").until(() -> updates.contains("first\n"));
        Files.writeString(worktree.resolve("go"), "");
        assertThat(running.get(30, TimeUnit.SECONDS)).isEqualTo("first\nsecond\n");
    }

    @Test
    void truncationKeepsTailAndLogWhole() {
        AgentSession session = session();
        ToolResult result = call(session, "bash", arguments("command", "seq 1 3000"));
        assertThat(result.text()).startsWith("1001\n").contains("[Showing lines 1001-3000 of 3000 (");
        assertThat(Path.of(result.details().text("log").orElseThrow())).hasSize(13_893);
    }

    @Test
    void abortEndsProcessInSandboxAndSandboxStays() throws Exception {
        AgentSession session = session();
        String before = run(session, "cat /proc/sys/kernel/hostname");
        String token = token();
        AbortController abort = new AbortController();
        CompletableFuture<ToolResult> running = CompletableFuture.supplyAsync(
                () -> call(session, "bash", arguments("command", "exec sleep " + token), abort.signal()));
        await("the command runs").until(() -> runs(token));
        abort.abort();
        assertThat(running.get(30, TimeUnit.SECONDS).text()).contains("Command aborted");
        await("the aborted command has ended").until(() -> !runs(token));
        assertThat(run(session, "cat /proc/sys/kernel/hostname"))
                .as("the same container answers")
                .isEqualTo(before);
    }

    @Test
    void backgroundShellStartsInsideAndItsOutputComesInPieces() throws IOException {
        AgentSession session = session();
        ToolResult started = start(session, "pwd; until [ -e more ]; do sleep 0.05; done; echo more; exec sleep 300");
        assertThat(started.text()).startsWith("Started in the background as bash_1");
        await("the first output of the background shell is read")
                .until(() ->
                        output(session, "bash_1").text().startsWith(commandPath() + "\n\nStatus of bash_1: running"));
        assertThat(output(session, "bash_1").text()).startsWith("(no new output)\n\n");
        Files.writeString(worktree.resolve("more"), "");
        await("the next output of the background shell is read")
                .until(() -> output(session, "bash_1").text().startsWith("more\n"));
    }

    @Test
    void killShellEndsWhatRunsInside() {
        AgentSession session = session();
        String token = token();
        start(session, "sleep " + token + " & wait");
        await("the background shell's child runs").until(() -> runs(token));
        assertThat(call(session, "kill_shell", arguments("shell_id", "bash_1")).text())
                .contains("Status of bash_1: killed after ")
                .contains("exit code 143");
        await("the killed shell's child has ended").until(() -> !runs(token));
    }

    @Test
    void abortedPromptLeavesBackgroundShellsRunningAndDisposalEndsThem() throws Exception {
        String token = token();
        String foreground = token();
        AgentSession session = scripted("{'calls': [{'tool': 'bash', 'arguments': {'command': 'exec sleep " + token
                + "', 'run_in_background': true}}]}, {'calls': [{'tool': 'bash', 'arguments': {'command': 'exec sleep "
                + foreground + "'}}]}");
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        await("the background and the foreground command run").until(() -> runs(token) && runs(foreground));
        session.abort();
        assertThat(run.get(30, TimeUnit.SECONDS).end()).isEqualTo(RunOutcome.End.ABORTED);
        await("the aborted foreground command has ended").until(() -> !runs(foreground));
        assertThat(runs(token)).isTrue();
        assertThat(output(session, "bash_1").text()).contains("Status of bash_1: running");
        session.close();
        await("disposal has ended the background shell").until(() -> !runs(token));
    }

    @Test
    void toolOverrideKeepsToolsOfBackgroundShells() {
        Tool mine = new TestTool("read", (call, context) -> ToolResult.ok("mine"));
        AgentSession session = open(builder(script(""))
                .tools(ToolSelection.builder()
                        .toolOverrides(Map.of("read", mine))
                        .build()));
        assertThat(call(session, "read", arguments("path", "x")).text()).isEqualTo("mine");
        start(session, "echo still here");
        await("the background shell has completed")
                .until(() -> output(session, "bash_1").text().contains("completed"));
        assertThat(call(session, "kill_shell", arguments("shell_id", "bash_1")).text())
                .startsWith("bash_1 had ended before");
    }

    @Test
    void closedToolSetHasNoServersAndNoSkills() {
        List<String> done = new CopyOnWriteArrayList<>();
        StandInSource server = new StandInSource(
                "stand-in server",
                List.of(new TestTool("served", (call, context) -> ToolResult.ok(""))),
                "Of the server.",
                done::add);
        AgentSession session = open(builder((request, listener) -> AssistantTurn.saying(request.systemPrompt()))
                .closedToolSet(true)
                .toolSource(server)
                .skills(server));
        assertThat(session.tools()).extracting(Tool::name).doesNotContain("served");
        assertThat(session.prompt("Go").text()).doesNotContain("Of the server.");
        assertThat(done).isEmpty();
        assertThat(run(session, "echo runs")).isEqualTo("runs\n");
    }

    @Test
    void twoWorktreesSharePortOnlyWhereLoopbackIsShared() throws IOException {
        int port = Servers.freePort();
        AgentSession first = session();
        assertThat(executor().guarantees().contains(Guarantee.PRIVATE_LOOPBACK))
                .isEqualTo(backend == Backend.BWRAP || backend == Backend.DOCKER);
        Path other = Files.createDirectory(home.resolve("other"));
        CommandExecutor elsewhere = backend.executor(other);
        AgentSession second = open(builder(script(""))
                .cwd(other)
                .executor(elsewhere)
                .execCwd(backend.mapping(other).commandPath())
                .sessionDirectory(home.resolve("second")));
        start(first, Servers.serve(port, "from the first"));
        if (backend == Backend.LANDLOCK) {
            assertThat(tool(first, "bash").description()).contains("Do not count on localhost");
            awaitOutput(first, "no port");
            return;
        }
        awaitOutput(first, "listening");
        start(second, Servers.serve(port, "from the second"));
        if (backend == Backend.HOST) {
            assertThat(tool(first, "bash").description()).contains("localhost is not the session's own");
            awaitOutput(second, "no port");
            // The result may also say that the second server, which found no port, has ended.
            assertThat(run(second, Servers.fetch(port))).startsWith("from the first\n");
            return;
        }
        assertThat(tool(first, "bash").description()).contains("localhost is the session's own");
        awaitOutput(second, "listening");
        assertThat(run(first, Servers.fetch(port))).isEqualTo("from the first\n");
        assertThat(run(second, Servers.fetch(port))).isEqualTo("from the second\n");
    }

    private void awaitOutput(AgentSession session, String text) {
        StringBuilder read = new StringBuilder();
        await("the background shell writes '" + text + "'")
                .until(() -> read.append(output(session, "bash_1").text()).indexOf(text) >= 0);
    }

    @Test
    void disposalRemovesSandboxAndHostGitStillWorks() throws Exception {
        Path repository = Files.createDirectory(home.resolve("repository"));
        git(repository, "init", "-q");
        Files.writeString(repository.resolve("file"), "text\n");
        CommandExecutor own = backend.executor(repository);
        AgentSession session = open(builder(script(""))
                .cwd(repository)
                .executor(own)
                .execCwd(backend.mapping(repository).commandPath()));
        String host = run(session, "cat /proc/sys/kernel/hostname").strip();
        run(
                session,
                "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a; git add file"
                        + " && git commit -q -m inside");
        boolean container = backend == Backend.DOCKER;
        assertThat(!container || status("docker", "inspect", host) == 0).isTrue();
        session.close();
        assertThat(container && status("docker", "inspect", host) == 0).isFalse();
        assertThatThrownBy(() -> own.spawn("true", SpawnOptions.in("/"))).isInstanceOf(ExecutorDisposedException.class);
        assertThat(git(repository, "log", "--format=%s")).isEqualTo("inside\n");
        git(repository, "commit", "-q", "--allow-empty", "-m", "outside");
        assertThat(git(repository, "status", "--short")).isEmpty();
    }

    private static String git(Path where, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("git", "-c", "user.name=t", "-c", "user.email=t@t"));
        line.addAll(List.of(words));
        Process process = new ProcessBuilder(line)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    private static int status(String... line) throws Exception {
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
