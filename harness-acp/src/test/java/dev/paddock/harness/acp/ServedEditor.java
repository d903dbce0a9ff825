package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.agentclientprotocol.sdk.client.AcpClient;
import com.agentclientprotocol.sdk.client.AcpSyncClient;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.mcp.wire.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An editor, with the protocol's own Java client, that a server serves with sessions of scripted models. */
abstract class ServedEditor {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String DONE = "{\"text\": \"All done.\"}";

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    Path worktree = Path.of("/");
    final List<AcpSchema.SessionNotification> updates = new CopyOnWriteArrayList<>();
    final List<AcpSchema.RequestPermissionRequest> questions = new CopyOnWriteArrayList<>();
    final List<PipeTransport> connections = new ArrayList<>();

    /** Answers the questions: the id of a choice. */
    volatile Function<AcpSchema.RequestPermissionRequest, String> user = question -> "once";

    @BeforeEach
    void makeWorktree() throws IOException {
        worktree = Files.createDirectory(directory.resolve("worktree")).toRealPath();
    }

    @AfterEach
    void endAll() throws Exception {
        for (PipeTransport one : connections) {
            one.die();
            one.awaitEnd();
        }
    }

    static String call(String tool, Map<String, ?> arguments) {
        try {
            return "{\"text\": \"I call it. \", \"calls\": [{\"tool\": \"" + tool + "\", \"arguments\": "
                    + JSON.writeValueAsString(arguments) + "}]}";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns a turn that the script has only if the results before it contain a text. */
    static String after(String expected, String turn) {
        try {
            return "{\"expect\": " + JSON.writeValueAsString(expected) + ", " + turn.substring(1);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String bash(String command) {
        return call("bash", Map.of("command", command));
    }

    /** Returns a command that reports that it runs, and waits until it may go on. */
    static String gated() {
        return "touch runs; until [ -e go ]; do sleep 0.05; done";
    }

    static String script(String... turns) {
        return "{\"turns\": [" + String.join(",", turns) + "]}";
    }

    ScriptedSessions host(String... turns) {
        return new ScriptedSessions(directory, HostExecutor::create, script(turns));
    }

    ScriptedSessions sandboxed(Supplier<CommandExecutor> executor, String... turns) {
        return new ScriptedSessions(directory, executor, script(turns));
    }

    PipeTransport serve(AcpSessions sessions, Duration patience) throws IOException {
        PipeTransport connection = new PipeTransport(AcpServer.of(sessions, "test", "1", patience), updates);
        connections.add(connection);
        return connection;
    }

    AcpSyncClient editor(AcpSessions sessions) throws IOException {
        return editor(sessions, PATIENCE);
    }

    /** Returns an initialized editor; its user has so long to answer. */
    AcpSyncClient editor(AcpSessions sessions, Duration patience) throws IOException {
        return initialized(AcpClient.sync(serve(sessions, patience)));
    }

    /** Returns an initialized editor that can be asked for the texts of files. */
    AcpSyncClient editor(AcpSessions sessions, UnaryOperator<String> buffers) throws IOException {
        AcpSchema.FileSystemCapability reads = new AcpSchema.FileSystemCapability(true, false);
        return initialized(AcpClient.sync(serve(sessions, PATIENCE))
                .clientCapabilities(new AcpSchema.ClientCapabilities(reads, false))
                .readTextFileHandler(question -> new AcpSchema.ReadTextFileResponse(buffers.apply(question.path()))));
    }

    AcpSyncClient initialized(AcpClient.SyncSpec editor) {
        AcpSyncClient client = editor.requestTimeout(PATIENCE)
                .requestPermissionHandler(question -> {
                    questions.add(question);
                    return new AcpSchema.RequestPermissionResponse(
                            new AcpSchema.PermissionSelected(null, user.apply(question)));
                })
                .sessionUpdateConsumer(update -> {})
                .build();
        assertThat(client.initialize().protocolVersion()).isEqualTo(1);
        return client;
    }

    String open(AcpSyncClient client) {
        return client.newSession(new AcpSchema.NewSessionRequest(worktree.toString(), List.of()))
                .sessionId();
    }

    static AcpSchema.StopReason prompt(AcpSyncClient client, String session, String text) {
        return client.prompt(request(session, text)).stopReason();
    }

    static AcpSchema.PromptRequest request(String session, String text) {
        return new AcpSchema.PromptRequest(session, List.of(new AcpSchema.TextContent(null, text, null, null)));
    }

    static CompletableFuture<AcpSchema.StopReason> prompting(AcpSyncClient client, String session, String text) {
        CompletableFuture<AcpSchema.StopReason> outcome = new CompletableFuture<>();
        Threads.daemon("test-prompt", () -> {
                    try {
                        outcome.complete(prompt(client, session, text));
                    } catch (RuntimeException | Error fault) {
                        outcome.completeExceptionally(fault);
                    }
                })
                .start();
        return outcome;
    }

    void awaitFile(String name) {
        await("the file " + name).atMost(PATIENCE).until(() -> Files.exists(worktree.resolve(name)));
    }

    /** Returns the updates of one kind, in order. */
    <T> List<T> updates(Class<T> kind) {
        return updates.stream()
                .map(AcpSchema.SessionNotification::update)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    String said() {
        StringBuilder text = new StringBuilder();
        updates(AcpSchema.AgentMessageChunk.class)
                .forEach(chunk -> text.append(((AcpSchema.TextContent) chunk.content()).text()));
        return text.toString();
    }

    static String text(List<AcpSchema.ToolCallContent> contents) {
        StringBuilder text = new StringBuilder();
        for (AcpSchema.ToolCallContent content : contents) {
            if (content instanceof AcpSchema.ToolCallContentBlock block) {
                text.append(((AcpSchema.TextContent) block.content()).text());
            }
        }
        return text.toString();
    }
}
