package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.tools.ToolResult;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a client's user decides about the calls, and that nothing else allows one. */
class ClientApproverTest {
    private static final Map<String, ?> CAN_ASK = Map.of("elicitation", Map.of());

    @TempDir
    private Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    private Path worktree() {
        return directory.resolve("worktree");
    }

    private Toolbox toolbox(ClientApprover approver) throws Exception {
        Toolbox toolbox = Toolbox.builder()
                .cwd(Files.createDirectories(worktree()))
                .executor(HostExecutor.create())
                .sessionDirectory(directory.resolve("session"))
                .approver(approver)
                .build();
        opened.add(toolbox);
        return toolbox;
    }

    private RawClient client(Toolbox toolbox, Map<String, ?> capabilities) throws Exception {
        RawClient client = new RawClient(McpToolServer.of(toolbox, "test", "1")::serve);
        opened.add(client);
        client.initialize(capabilities);
        return client;
    }

    private static JsonNode question(RawClient client) throws Exception {
        JsonNode question = client.next();
        assertThat(question.path("method").asText()).isEqualTo("elicitation/create");
        return question;
    }

    private static void decide(RawClient client, JsonNode question, String decision) throws Exception {
        client.answer(
                question.path("id").asText(), Map.of("action", "accept", "content", Map.of("decision", decision)));
    }

    @Test
    void userAllowsOnceOrForSession() throws Exception {
        RawClient client = client(toolbox(ClientApprover.create()), CAN_ASK);
        client.bash(1, "echo one");
        JsonNode question = question(client);
        assertThat(question.path("params").path("message").asText())
                .isEqualTo("Allow the call of bash, outside of the sandbox?\n{\"command\":\"echo one\"}");
        JsonNode decision = question.path("params")
                .path("requestedSchema")
                .path("properties")
                .path("decision");
        assertThat(decision.path("enum"))
                .map(JsonNode::asText)
                .containsExactly("allow", "allow for this session", "deny");
        assertThat(decision.path("description").asText()).isEqualTo("For this session: bash echo one");
        decide(client, question, "allow");
        assertThat(RawClient.text(client.next())).isEqualTo("one\n");

        client.bash(2, "echo one");
        decide(client, question(client), "allow for this session");
        assertThat(RawClient.text(client.next())).isEqualTo("one\n");
        client.bash(3, "echo one");
        assertThat(RawClient.text(client.next())).as("not asked about again").isEqualTo("one\n");
        client.bash(4, "echo two");
        decide(client, question(client), "allow");
        assertThat(RawClient.text(client.next())).isEqualTo("two\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'result': {'action': 'accept', 'content': {'decision': 'deny', 'reason': 'not now'}}}",
                "{'result': {'action': 'accept', 'content': {'decision': 'yes'}}}",
                "{'result': {'action': 'accept', 'content': {}}}",
                "{'result': {'action': 'accept'}}",
                "{'result': {'action': 'decline', 'content': {'decision': 'allow'}}}",
                "{'result': {'action': 'cancel'}}",
                "{'result': {'action': 'allow'}}",
                "{'result': {}}",
                "{'error': {'code': -32603, 'message': 'the dialog broke'}}"
            })
    void everyOtherAnswerDenies(String answer) throws Exception {
        RawClient client = client(toolbox(ClientApprover.create()), CAN_ASK);
        client.bash(1, "touch made");
        String id = question(client).path("id").asText();
        client.line(answer.replace('\'', '"').replaceFirst("^\\{", "{\"jsonrpc\": \"2.0\", \"id\": \"" + id + "\", "));
        JsonNode result = client.next();
        assertThat(result.path("result").path("isError").asBoolean()).isTrue();
        assertThat(RawClient.text(result))
                .startsWith("The call of bash was denied")
                .contains("Nothing was done");
        if (answer.contains("not now")) {
            assertThat(RawClient.text(result)).contains("denied: not now.");
        }
        assertThat(worktree().resolve("made")).doesNotExist();
    }

    @Test
    void clientThatCannotAskIsDeniedAndReadsWhy() throws Exception {
        RawClient client = client(toolbox(ClientApprover.create()), Map.of());
        client.bash(1, "touch made");
        assertThat(RawClient.text(client.next())).contains("does not support elicitation", "Nothing was done");
        assertThat(worktree().resolve("made")).doesNotExist();
    }

    @Test
    void callsThatNeedNoQuestionAreCarriedOut() throws Exception {
        RawClient client = client(toolbox(ClientApprover.askingAbout(call -> !call.isReadOnly())), Map.of());
        client.request(1, "tools/call", Map.of("name", "ls", "arguments", Map.of()));
        assertThat(client.next().path("result").path("isError").asBoolean(true)).isFalse();
    }

    private static void assertWithdrawn(JsonNode notification, JsonNode question) {
        assertThat(notification.path("method").asText()).isEqualTo("notifications/cancelled");
        assertThat(notification.path("params").path("requestId")).isEqualTo(question.path("id"));
        assertThat(notification.path("params").path("reason").asText()).contains("has ended");
    }

    @Test
    void cancellingCallWithdrawsItsQuestion() throws Exception {
        RawClient client = client(toolbox(ClientApprover.create()), CAN_ASK);
        client.bash(1, "touch made");
        JsonNode first = question(client);
        client.notification("notifications/cancelled", Map.of("requestId", 1));
        assertWithdrawn(client.next(), first);
        client.bash(2, "echo two");
        JsonNode second = question(client);
        decide(client, first, "allow");
        decide(client, second, "allow");
        assertThat(RawClient.text(client.next())).isEqualTo("two\n");
        assertThat(worktree().resolve("made")).doesNotExist();
    }

    @Test
    void answeredQuestionIsNotWithdrawn() throws Exception {
        RawClient client = client(toolbox(ClientApprover.create()), CAN_ASK);
        client.bash(1, "sleep 300");
        decide(client, question(client), "allow");
        client.notification("notifications/cancelled", Map.of("requestId", 1));
        client.bash(2, "echo two");
        decide(client, question(client), "allow");
        assertThat(RawClient.text(client.next())).isEqualTo("two\n");
    }

    @Test
    void closingToolboxWithdrawsQuestionAndEndsCall() throws Exception {
        Toolbox toolbox = toolbox(ClientApprover.create());
        RawClient client = client(toolbox, CAN_ASK);
        client.bash(1, "touch made");
        JsonNode question = question(client);
        toolbox.close();
        List<JsonNode> messages = new ArrayList<>(List.of(client.next(), client.next()));
        messages.sort(Comparator.comparing(message -> message.has("method")));
        assertThat(messages.getFirst().path("result").path("isError").asBoolean())
                .isTrue();
        assertWithdrawn(messages.getLast(), question);
        decide(client, question, "allow");
        client.closeInput();
        client.awaitEnd();
        assertThat(worktree().resolve("made")).doesNotExist();
    }

    @Test
    void callOfProgramsOwnEndsWithConnection() throws Exception {
        Toolbox toolbox = toolbox(ClientApprover.create());
        RawClient client = client(toolbox, CAN_ASK);
        client.request(1, "tools/call", Map.of("name", "ls", "arguments", Map.of()));
        decide(client, question(client), "allow");
        client.next();
        CompletableFuture<ToolResult> own = CompletableFuture.supplyAsync(
                () -> toolbox.call("bash", "{\"command\": \"touch made\"}", AbortSignal.never()));
        question(client);
        client.closeInput();
        client.awaitEnd();
        assertThat(own.get(1, TimeUnit.MINUTES).text()).contains("could not ask the user", "Nothing was done");
        assertThat(worktree().resolve("made")).doesNotExist();
    }

    @Test
    void responseThatAnswersNoQuestionIsIgnored() throws Exception {
        RawClient client = client(toolbox(ClientApprover.create()), CAN_ASK);
        client.answer("no-question", Map.of("action", "accept", "content", Map.of("decision", "allow")));
        client.bash(1, "echo one");
        decide(client, question(client), "allow");
        assertThat(RawClient.text(client.next())).isEqualTo("one\n");
    }

    @Test
    void withoutServerEveryCallIsDenied() throws Exception {
        Toolbox toolbox = toolbox(ClientApprover.create());
        assertThat(toolbox.call("bash", "{\"command\": \"touch made\"}", AbortSignal.never())
                        .text())
                .contains("no MCP client is connected");
        RawClient client = client(toolbox, CAN_ASK);
        client.closeInput();
        client.awaitEnd();
        assertThat(toolbox.call("bash", "{\"command\": \"touch made\"}", AbortSignal.never())
                        .text())
                .contains("no MCP client is connected");
        assertThat(worktree().resolve("made")).doesNotExist();
    }

    @Test
    void oneApproverAsksOneClient() throws Exception {
        Toolbox toolbox = toolbox(ClientApprover.create());
        client(toolbox, CAN_ASK);
        McpToolServer another = McpToolServer.of(toolbox, "test", "1");
        assertThatThrownBy(() -> another.serve(new ByteArrayInputStream(new byte[0]), OutputStream.nullOutputStream()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another server");
    }
}
