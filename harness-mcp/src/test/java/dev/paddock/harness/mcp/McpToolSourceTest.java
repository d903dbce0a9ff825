package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.mcp.client.Answer;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.io.BufferedReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests MCP servers' tools in a session: those of a server on the official TypeScript SDK, and
 * programs that are not servers at all.
 */
@Tag("full")
class McpToolSourceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final List<String> updates = new CopyOnWriteArrayList<>();
    private final List<SessionEvent> events = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Path worktree = Path.of("/");

    @BeforeEach
    void makeWorktree() throws Exception {
        worktree = Files.createDirectory(directory.resolve("worktree")).toRealPath();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    private AgentSessionBuilder builder(McpToolSource source) {
        CommandExecutor executor = HostExecutor.create();
        opened.add(executor);
        return AgentSession.builder()
                .model(Model.none())
                .cwd(worktree)
                .executor(executor)
                .sessionDirectory(directory.resolve("session"))
                .listener(events::add)
                .toolSource(source);
    }

    private AgentSession open(AgentSessionBuilder builder) {
        AgentSession session = builder.build();
        opened.add(session);
        return session;
    }

    private McpToolSource.Stdio server() throws Exception {
        return McpToolSource.stdio("others", Node.server()).env("NOTES", notes().toString());
    }

    private Path notes() {
        return directory.resolve("notes");
    }

    private void awaitNote(String note) {
        await("the server has written its note")
                .atMost(PATIENCE)
                .until(() -> Files.exists(notes()) && Files.readString(notes()).contains(note));
    }

    private ToolResult call(AgentSession session, String tool, Map<String, String> arguments, AbortSignal signal) {
        return session.call(new ToolCall("1", "mcp__others__" + tool, Json.of(arguments)), signal, updates::add);
    }

    private ToolResult call(AgentSession session, String tool) {
        return call(session, tool, Map.of(), AbortSignal.never());
    }

    /** Returns the problems that the listeners receive. */
    private List<String> problems() {
        await("the session has reported its start").atMost(PATIENCE).until(() -> !events.isEmpty());
        return ((SessionEvent.SessionStarted) events.getFirst()).problems();
    }

    private static List<Tool> tools(AgentSession session) {
        return session.tools().stream()
                .filter(tool -> tool.name().startsWith("mcp__"))
                .toList();
    }

    /** Checks what both transports have in common. */
    private void checkTools(AgentSession session, ExecutionSite site) {
        assertThat(tools(session))
                .extracting(Tool::name)
                .containsExactly(
                        "mcp__others__echo",
                        "mcp__others__environment",
                        "mcp__others__fail",
                        "mcp__others__picture",
                        "mcp__others__much",
                        "mcp__others__count",
                        "mcp__others__hang",
                        "mcp__others__die",
                        "mcp__others__needs_a_name");
        assertThat(tools(session)).extracting(Tool::executionSite).containsOnly(site);
        assertThat(call(session, "echo", Map.of("text", "héllo\n"), AbortSignal.never()))
                .isEqualTo(ToolResult.ok("héllo\n"));
        assertThat(call(session, "fail")).isEqualTo(ToolResult.error("it failed"));
        assertThat(call(session, "picture").text()).isEqualTo("(an image, image/png, which is not shown)");
        assertThat(call(session, "much").text())
                .hasSizeBetween(Answer.MAX_CHARACTERS, Answer.MAX_CHARACTERS + 200)
                .contains("are left out");
        assertThat(call(session, "needs_a_name").text()).isEqualTo("named");
        assertThat(call(session, "count").text()).isEqualTo("counted");
        assertThat(updates).contains("step 1\n", "step 1\nstep 2\n");
    }

    @Test
    void mcpServerRunsAsProgramOnHost() throws Exception {
        AgentSession session = open(builder(server().env("GIVEN", "a value").build()));
        checkTools(session, ExecutionSite.HOST);
        assertThat(call(session, "environment", Map.of("name", "GIVEN"), AbortSignal.never())
                        .text())
                .isEqualTo("a value in " + worktree);
    }

    @Test
    void programWhereCommandsRun() throws Exception {
        ExecutorProvider bwrap = ExecutorProviders.named("bwrap");
        if (System.getenv("CI") == null) {
            assumeTrue(bwrap.probe().isUsable(), "bwrap cannot be used here");
        }
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/room"))
                .mount(Mount.parse(Node.DIRECTORY + ":" + Node.DIRECTORY, Path.of("/")))
                .build();
        AgentSession session = open(builder(McpToolSource.stdio("others", Node.server())
                        .inSandbox(true)
                        .build())
                .executor(bwrap.create(policy, Map.of()))
                .execCwd("/room"));
        checkTools(session, ExecutionSite.SANDBOX);
        assertThat(call(session, "environment", Map.of("name", "GIVEN"), AbortSignal.never())
                        .text())
                .isEqualTo("undefined in /room");
    }

    @Test
    void serverOnNetwork() throws Exception {
        Node.require();
        ProcessBuilder program =
                new ProcessBuilder("node", Node.DIRECTORY.resolve("server.mjs").toString(), "http");
        program.environment().put("NOTES", notes().toString());
        Process process = program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        opened.add(process::destroyForcibly);
        BufferedReader out = process.inputReader();
        URI endpoint = URI.create("http://127.0.0.1:" + out.readLine() + "/mcp");
        AgentSession session = open(builder(McpToolSource.http("others", endpoint)
                .header("Authorization", "Bearer of news")
                .build()));
        awaitNote("authorization: Bearer of news");
        checkTools(session, ExecutionSite.NETWORK);
        abortsACall(session);
        process.destroyForcibly().waitFor();
        assertThat(call(session, "echo", Map.of("text", "there?"), AbortSignal.never())
                        .text())
                .contains("could not be called");
    }

    @Test
    void abortNotifiesServerAndReturnsAtOnce() throws Exception {
        abortsACall(open(builder(server().build())));
    }

    private void abortsACall(AgentSession session) throws Exception {
        AbortController abort = new AbortController();
        CompletableFuture<ToolResult> hanging =
                CompletableFuture.supplyAsync(() -> call(session, "hang", Map.of(), abort.signal()));
        awaitNote("hanging");
        assertThat(call(session, "echo", Map.of("text", "beside"), AbortSignal.never())
                        .text())
                .isEqualTo("beside");
        abort.abort();
        assertThat(hanging.get(30, TimeUnit.SECONDS).text()).contains("aborted");
        awaitNote("cancelled: the answer is not wanted any more");
        assertThat(call(session, "echo", Map.of("text", "after"), AbortSignal.never())
                        .text())
                .isEqualTo("after");
    }

    @Test
    void callThatHangsIsGivenUp() throws Exception {
        AgentSession session =
                open(builder(server().callTimeout(Duration.ofSeconds(1)).build()));
        ToolResult result = call(session, "hang");
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).contains("has not answered within 1.0 s");
        awaitNote("cancelled: ");
    }

    @Test
    void serverThatDiesIsReported() throws Exception {
        AgentSession session = open(builder(server().build()));
        ToolResult result = call(session, "die");
        assertThat(result.isError()).isTrue();
        assertThat(result.text())
                .contains("has not answered: it ended with exit code 3, and wrote: ")
                .contains("something went / very wrong");
        assertThat(call(session, "echo", Map.of("text", "there?"), AbortSignal.never())
                        .text())
                .contains("was not called: it ended");
    }

    @Test
    void serversFloodOfLinesIsPassedOver() throws Exception {
        AgentSession session = open(builder(McpToolSource.stdio(
                        "others",
                        "yes error >&2 & head -c 1000000 /dev/zero | tr '\\0' '\\n'; echo '{}'; " + Node.server())
                .build()));
        assertThat(call(session, "echo", Map.of("text", "well"), AbortSignal.never())
                        .text())
                .isEqualTo("well");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
                    exec sleep 300                        => did not list its tools within 3.0 s
                    exec yes 'a line that is no message'  => characters that are no messages
                    yes | tr -d '\\n'                    => a line of more than
                    echo no such thing >&2; exit 4        => exit code 4, and wrote: no such thing
                    read x; echo '{"jsonrpc":"2.0"}'; cat => did not list its tools within 3.0 s
                    """)
    void programThatIsNoServerKeepsSessionFromBeingBuilt(String command, String why) {
        // The source detects it by reading, which may take longer on a busy machine.
        Duration longest = why.contains("within") ? Duration.ofSeconds(3) : PATIENCE;
        AgentSessionBuilder builder = builder(
                McpToolSource.stdio("others", command).startTimeout(longest).build());
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the MCP server others")
                .hasMessageContaining(why);
    }

    @Test
    void serverThatCanBeDoneWithoutIsReportedToModel() {
        List<String> prompts = new CopyOnWriteArrayList<>();
        AgentSession session = open(
                builder(McpToolSource.stdio("others", "exit 4").required(false).build())
                        .model((request, listener) -> {
                            prompts.add(request.systemPrompt());
                            return AssistantTurn.of("Well.", List.of(), Optional.empty());
                        }));
        assertThat(tools(session)).isEmpty();
        session.prompt("Go");
        assertThat(prompts.getFirst())
                .contains("The tools of the MCP server others cannot be used")
                .contains("exit code 4");
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("the MCP server others is left out: ")
                .contains("exit code 4");
    }

    @Test
    void toolsThatCannotBeUsedAreReportedToListeners() throws Exception {
        open(builder(server().build()));
        assertThat(problems())
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem).startsWith("a tool of the MCP server others is left out: "))
                .anySatisfy(problem -> assertThat(problem).contains("another is named mcp__others__needs_a_name"))
                .anySatisfy(problem -> assertThat(problem).contains("longer than 64 characters"));
    }

    @Test
    void toolsAreReadPageByPageUntilThereAreTooMany() throws Exception {
        AgentSession session = open(
                builder(McpToolSource.stdio("others", Node.server() + " pages").build()));
        assertThat(tools(session)).hasSize(128).last().extracting(Tool::name).isEqualTo("mcp__others__tool127");
        assertThat(problems())
                .containsExactly(
                        "the MCP server others has more than 128 tools, and the rest is left out. Have it serve"
                                + " fewer");
    }

    @Test
    void closedSetStartsNoServer() {
        AgentSession session = open(
                builder(McpToolSource.stdio("others", "touch started").build()).closedToolSet(true));
        assertThat(tools(session)).isEmpty();
        session.close();
        assertThat(worktree.resolve("started")).doesNotExist();
    }

    @Test
    void closingSessionEndsServerAndItsTree() throws Exception {
        String seconds = "300." + (1_000_000 + new SecureRandom().nextInt(1_000_000));
        AgentSession session = open(builder(McpToolSource.stdio("others", "sleep " + seconds + " & " + Node.server())
                .build()));
        assertThat(runs(seconds)).isTrue();
        session.close();
        await("the server's process has ended").atMost(PATIENCE).until(() -> !runs(seconds));
    }

    private static boolean runs(String argument) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info()
                        .arguments()
                        .filter(words -> List.of(words).contains(argument))
                        .isPresent());
    }
}
