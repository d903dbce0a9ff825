package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.mcp.server.Elicitation;
import dev.paddock.harness.mcp.server.ServerConnection;
import dev.paddock.harness.mcp.wire.MessageReader;
import dev.paddock.harness.mcp.wire.ProgressStream;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.ToolSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the server with client behavior that no client library produces. */
class McpToolServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final List<SessionEvent> events = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Path worktree = Path.of("/");

    @BeforeEach
    void makeWorktree() throws IOException {
        worktree = Files.createDirectory(directory.resolve("worktree"));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    private AgentSession session(ToolSource... sources) {
        AgentSessionBuilder builder = AgentSession.builder()
                .model(Model.none())
                .cwd(worktree)
                .executor(HostExecutor.create())
                .sessionDirectory(directory.resolve("session"))
                .listener(events::add);
        List.of(sources).forEach(builder::toolSource);
        AgentSession session = builder.build();
        opened.add(session);
        return session;
    }

    private RawClient client(ToolSource... sources) throws IOException {
        RawClient client = new RawClient(McpToolServer.of(session(sources), "test", "1")::serve);
        opened.add(client);
        return client;
    }

    private RawClient initialized(ToolSource... sources) throws IOException {
        RawClient client = client(sources);
        client.initialize();
        return client;
    }

    private static int code(JsonNode answer) {
        return answer.path("error").path("code").asInt();
    }

    private void awaitFile(String name) {
        await("the file that the command writes exists")
                .atMost(PATIENCE)
                .until(() -> Files.exists(worktree.resolve(name)));
    }

    /** Returns a command that reports that it runs, and waits until it is terminated. */
    private static String gated(int number) {
        return "touch runs" + number + "; until [ -e go ]; do sleep 0.05; done; echo " + number;
    }

    @Test
    void theToolsOfAToolboxAreServed() throws Exception {
        Toolbox toolbox = Toolbox.builder()
                .cwd(worktree)
                .executor(HostExecutor.create())
                .sessionDirectory(directory.resolve("toolbox"))
                .build();
        opened.add(toolbox);
        RawClient client = new RawClient(McpToolServer.of(toolbox, "test", "1")::serve);
        opened.add(client);
        client.initialize();
        client.bash(1, "echo well");
        assertThat(RawClient.text(client.next())).startsWith("well\n");
    }

    private static JsonNode tool(RawClient client, String name) throws IOException {
        client.request("tools", "tools/list", Map.of());
        for (JsonNode tool : client.next().path("result").path("tools")) {
            if (tool.path("name").asText().equals(name)) {
                return tool;
            }
        }
        throw new AssertionError("there is no tool " + name);
    }

    @Test
    void aCommandsResultIsStructuredAsItsSchemaSays() throws Exception {
        RawClient client = initialized();
        JsonNode bash = tool(client, "bash");
        assertThat(bash.path("title").asText()).isEqualTo("Run a command");
        assertThat(bash.path("annotations").path("title").asText()).isEqualTo("Run a command");
        assertThat(bash.path("description").asText()).contains("The network is open.");
        JsonNode schema = bash.path("outputSchema");
        assertThat(schema.path("required")).hasToString("[\"text\"]");
        client.bash(1, "echo out; exit 3");
        JsonNode result = client.next().path("result");
        JsonNode structured = result.path("structuredContent");
        assertThat(structured.path("exitCode").asInt()).isEqualTo(3);
        assertThat(structured.path("outcome").asText()).isEqualTo("ended");
        assertThat(structured.path("truncated").isBoolean()).isTrue();
        assertThat(structured.path("text").asText())
                .as("clients show the structured content in place of the text")
                .isEqualTo(result.path("content").path(0).path("text").asText())
                .startsWith("out\n");
        structured
                .fieldNames()
                .forEachRemaining(name ->
                        assertThat(schema.path("properties").has(name)).as(name).isTrue());
    }

    @Test
    void aShellsResultNamesItById() throws Exception {
        RawClient client = initialized();
        client.request(
                1,
                "tools/call",
                Map.of("name", "bash", "arguments", Map.of("command", "sleep 300", "run_in_background", true)));
        assertThat(client.next()
                        .path("result")
                        .path("structuredContent")
                        .path("shell_id")
                        .asText())
                .isEqualTo("bash_1");
        for (String name : List.of("bash_output", "kill_shell")) {
            client.request(2, "tools/call", Map.of("name", name, "arguments", Map.of("shell_id", "bash_1")));
            JsonNode structured = client.next().path("result").path("structuredContent");
            assertThat(structured.path("shell_id").asText()).isEqualTo("bash_1");
            assertThat(structured.path("status").asText()).isEqualTo(name.equals("bash_output") ? "running" : "killed");
        }
    }

    @Test
    void aFilesContentIsTextAlone() throws Exception {
        Files.writeString(worktree.resolve("a"), "content\n");
        RawClient client = initialized();
        assertThat(tool(client, "read").has("outputSchema")).isFalse();
        client.request(1, "tools/call", Map.of("name", "read", "arguments", Map.of("path", "a")));
        assertThat(client.next().path("result").has("structuredContent")).isFalse();
        client.request(
                2,
                "tools/call",
                Map.of("name", "edit", "arguments", Map.of("path", "a", "old_string", "content", "new_string", "x")));
        JsonNode structured = client.next().path("result").path("structuredContent");
        assertThat(structured.path("replacements").asInt()).isEqualTo(1);
        assertThat(structured.has("diff")).as("described by no schema").isFalse();
    }

    @Test
    void logsAreResources() throws Exception {
        RawClient client = initialized();
        client.request(1, "resources/list", Map.of());
        assertThat(client.next().path("result").path("resources")).isEmpty();
        client.bash(2, "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done");
        assertThat(client.next().path("method").asText()).isEqualTo("notifications/resources/list_changed");
        assertThat(RawClient.text(client.next())).contains("line 3000").doesNotContain("line 1000\n");
        client.request(3, "resources/list", Map.of());
        JsonNode resource = client.next().path("result").path("resources").path(0);
        assertThat(resource.path("uri").asText()).startsWith("paddock://logs/").endsWith(".log");
        client.request(4, "resources/read", Map.of("uri", resource.path("uri").asText()));
        assertThat(client.next()
                        .path("result")
                        .path("contents")
                        .path(0)
                        .path("text")
                        .asText())
                .startsWith("line 1\n")
                .endsWith("line 3000\n");
        client.request(5, "resources/read", Map.of("uri", "paddock://logs/../messages.jsonl"));
        assertThat(client.next().has("error")).isTrue();
    }

    @Test
    void linesThatAreNoMessageArePassedOver() throws Exception {
        RawClient client = initialized();
        client.line("garbage");
        assertThat(code(client.next())).isEqualTo(-32700);
        client.line("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]");
        assertThat(code(client.next())).isEqualTo(-32700);
        client.line("{\"jsonrpc\":\"2.0\"}");
        assertThat(code(client.next())).isEqualTo(-32600);
        client.line("");
        client.line("x".repeat(MessageReader.LONGEST + 1));
        assertThat(client.next().path("error").path("message").asText()).contains("longer than");
        client.request(1, "no/such/method", Map.of());
        assertThat(code(client.next())).isEqualTo(-32601);
        client.request(2, "tools/call", Map.of("name", Map.of()));
        assertThat(code(client.next())).isEqualTo(-32602);
        client.request(2, "tools/call", Map.of("name", "bash", "arguments", List.of()));
        assertThat(client.next().has("error")).isTrue();
        client.notification("notifications/roots/list_changed", Map.of());
        client.notification("no/such/notification", Map.of());
        client.bash(3, "echo well");
        assertThat(RawClient.text(client.next())).startsWith("well\n");
    }

    @Test
    void aLongMessageArrives() throws Exception {
        RawClient client = initialized();
        String content = "0123456789abcdef".repeat(500_000);
        client.request(
                1, "tools/call", Map.of("name", "write", "arguments", Map.of("path", "long", "content", content)));
        assertThat(client.next().path("result").path("isError").asBoolean()).isFalse();
        assertThat(worktree.resolve("long")).hasContent(content);
    }

    @Test
    void beforeItIsInitializedItAnswersAllTheSame() throws Exception {
        RawClient client = client();
        client.bash(1, "touch ran");
        assertThat(code(client.next())).isEqualTo(-32600);
        client.request("two", "ping", Map.of());
        assertThat(client.next().path("id").asText()).isEqualTo("two");
        client.initialize();
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    @Test
    void callsRunBesideEachOtherAndOneTooManyIsRefused() throws Exception {
        RawClient client = initialized();
        for (int call = 1; call <= 64; call++) {
            client.bash(call, gated(call));
        }
        for (int call = 1; call <= 64; call++) {
            awaitFile("runs" + call);
        }
        client.bash(65, "echo too many");
        JsonNode refused = client.next();
        assertThat(refused.path("id").asInt()).isEqualTo(65);
        assertThat(refused.path("error").path("message").asText()).contains("64 calls");
        Files.createFile(worktree.resolve("go"));
        List<Integer> answered = new ArrayList<>();
        for (int call = 1; call <= 64; call++) {
            answered.add(client.next().path("id").asInt());
        }
        assertThat(answered).doesNotHaveDuplicates().hasSize(64);
    }

    @Test
    void aCancelledCallIsEndedAndNotAnswered() throws Exception {
        RawClient client = initialized();
        client.bash("a", "trap 'touch received; exit' TERM; touch runs1; while :; do sleep 0.05; done");
        awaitFile("runs1");
        client.notification("notifications/cancelled", Map.of("requestId", "a", "reason", "not wanted"));
        awaitFile("received");
        await("the end of the call is reported")
                .atMost(PATIENCE)
                .until(() -> events.stream().anyMatch(SessionEvent.ToolEnded.class::isInstance));
        // Calls that have ended, or never existed, are unknown.
        client.notification("notifications/cancelled", Map.of("requestId", "a"));
        client.notification("notifications/cancelled", Map.of("requestId", List.of()));
        client.notification("notifications/cancelled", Map.of());
        client.bash("a", "echo again");
        JsonNode next = client.next();
        assertThat(next.path("id").asText()).isEqualTo("a");
        assertThat(RawClient.text(next)).startsWith("again\n");
    }

    @Test
    void anIdThatIsInUseIsRefused() throws Exception {
        RawClient client = initialized();
        client.bash(7, gated(1));
        awaitFile("runs1");
        client.bash(7, "touch ran");
        assertThat(code(client.next())).isEqualTo(-32600);
        Files.createFile(worktree.resolve("go"));
        assertThat(RawClient.text(client.next())).startsWith("1\n");
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    @Test
    void outputIsStreamedToWhoeverAskedForIt() throws Exception {
        RawClient client = initialized();
        client.bash(1, "echo one; until [ -e go ]; do sleep 0.05; done; echo two", "token");
        JsonNode progress = client.next();
        assertThat(progress.path("method").asText()).isEqualTo("notifications/progress");
        assertThat(progress.path("params").path("progressToken").asText()).isEqualTo("token");
        assertThat(progress.path("params").path("progress").asInt()).isEqualTo(1);
        assertThat(progress.path("params").path("message").asText()).isEqualTo("one\n");
        Files.createFile(worktree.resolve("go"));
        JsonNode next = client.next();
        while (next.path("method").asText().equals("notifications/progress")) {
            next = client.next();
        }
        assertThat(RawClient.text(next)).startsWith("one\ntwo\n");
    }

    @Test
    void aClientThatDoesNotReadHoldsNoCommand() throws Exception {
        RawClient client = initialized();
        client.bash(1, "yes 0123456789abcdef | head -c 200000000; touch wrote", "token");
        awaitFile("wrote");
        JsonNode next = client.next();
        while (!next.has("id")) {
            assertThat(next.path("params").path("message").asText().length())
                    .isLessThanOrEqualTo(ProgressStream.LONGEST + 1);
            next = client.next();
        }
        assertThat(RawClient.text(next)).contains("0123456789abcdef");
    }

    @Test
    void aClientThatGoesEndsTheServerAndItsCalls() throws Exception {
        RawClient client = initialized();
        client.bash(1, "trap 'touch received; exit' TERM; touch runs1; while :; do sleep 0.05; done");
        awaitFile("runs1");
        client.close();
        client.awaitEnd();
        awaitFile("received");
    }

    @Test
    void anErrorInAToolIsAnswered() throws Exception {
        RawClient client = initialized(new OwnTool(context -> {
            throw new NoClassDefFoundError("a/part/that/is/missing");
        }));
        client.request(1, "tools/call", Map.of("name", "own", "arguments", Map.of()));
        JsonNode answer = client.next();
        assertThat(answer.path("id").asInt()).isEqualTo(1);
        assertThat(answer.path("result").path("isError").asBoolean()).isTrue();
        assertThat(RawClient.text(answer)).contains("own failed unexpectedly", "a/part/that/is/missing");
    }

    /** Each call's abort waits until the other is being aborted too. */
    @Test
    void theCallsOfAClientThatGoesAreAbortedTogether() throws Exception {
        CyclicBarrier bothAborted = new CyclicBarrier(2);
        CountDownLatch running = new CountDownLatch(2);
        CountDownLatch met = new CountDownLatch(2);
        RawClient client = initialized(new OwnTool(context -> {
            CompletableFuture<Void> aborted = new CompletableFuture<>();
            AbortSignal.Registration unused = context.signal().onAbort(() -> {
                aborted.complete(null);
                try {
                    bothAborted.await(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS);
                    met.countDown();
                } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
                    throw new IllegalStateException(alone);
                }
            });
            running.countDown();
            aborted.join();
            return ToolResult.ok("");
        }));
        client.request(1, "tools/call", Map.of("name", "own", "arguments", Map.of()));
        client.request(2, "tools/call", Map.of("name", "own", "arguments", Map.of()));
        assertThat(running.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThat(met.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        client.awaitEnd();
    }

    /**
     * The cancellation may arrive while the connection is being closed, and its workers accept no
     * more tasks.
     */
    @Test
    void aCancellationThatComesLateIsHeard() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<Void> aborted = new CompletableFuture<>();
        AgentSession session = session(new OwnTool(context -> {
            AbortSignal.Registration unused = context.signal().onAbort(() -> aborted.complete(null));
            running.countDown();
            aborted.join();
            return ToolResult.ok("");
        }));
        CompletableFuture<ServerConnection> made = new CompletableFuture<>();
        RawClient client = new RawClient((input, output) -> {
            ServerConnection connection = new ServerConnection(Set.of("own"), output, new CompletableFuture<>());
            McpToolServer.of(session, "test", "1").offerTools(connection, new Elicitation(question -> {}));
            made.complete(connection);
            connection.run(input);
        });
        opened.add(client);
        client.initialize();
        client.request(1, "tools/call", Map.of("name", "own", "arguments", Map.of()));
        assertThat(running.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        made.join().workers().shutdown();
        client.notification("notifications/cancelled", Map.of("requestId", 1));
        aborted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        client.request(2, "ping", Map.of());
        assertThat(client.next().path("id").asInt()).isEqualTo(2);
    }

    @Test
    void aSecondClientIsRefusedAndNotListenedTo() throws IOException {
        McpToolServer server = McpToolServer.of(session(), "test", "1");
        server.serve(InputStream.nullInputStream(), OutputStream.nullOutputStream());
        InputStream second = new ByteArrayInputStream(new byte[] {'{', '}', '\n'});
        assertThatThrownBy(() -> server.serve(second, OutputStream.nullOutputStream()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("make another");
        assertThat(second.available()).isEqualTo(3);
    }

    @Test
    void aServerThatIsStoppedEnds() throws Exception {
        McpToolServer server = McpToolServer.of(session(), "test", "1");
        RawClient client = new RawClient(server::serve);
        opened.add(client);
        client.initialize();
        server.stop();
        client.awaitEnd();
    }
}
