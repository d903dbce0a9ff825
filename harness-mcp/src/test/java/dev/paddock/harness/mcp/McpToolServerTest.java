package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.mcp.wire.MessageReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the server with client behavior that no client library produces. */
class McpToolServerTest extends ServedSession {

    @Test
    void toolsOfToolboxAreServed() throws Exception {
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

    /** Of a result with structured content many clients show their models that alone. */
    @Test
    void resultsTextIsSentOnceAndItsFactsBesideIt() throws Exception {
        RawClient client = initialized();
        JsonNode bash = tool(client, "bash");
        assertThat(bash.path("title").asText()).isEqualTo("Run a command");
        assertThat(bash.path("annotations").path("title").asText()).isEqualTo("Run a command");
        assertThat(bash.path("description").asText()).contains("The network is open.");
        assertThat(bash.has("outputSchema")).isFalse();
        client.request(
                1,
                "tools/call",
                Map.of(
                        "name",
                        "bash",
                        "arguments",
                        Map.of("command", "echo once; seq 100; exit 3", "max_output", 100)));
        JsonNode answer = answer(client);
        JsonNode result = answer.path("result");
        assertThat(result.toString().split("once", -1)).hasSize(2);
        assertThat(result.has("structuredContent")).isFalse();
        assertThat(RawClient.text(answer))
                .startsWith("once\n")
                .contains("[The middle is left out, of 101 lines", "\n100\n");
        JsonNode facts = facts(result);
        assertThat(facts.path("exitCode").asInt()).isEqualTo(3);
        assertThat(facts.path("outcome").asText()).isEqualTo("ended");
        assertThat(facts.path("truncated").asBoolean()).isTrue();
        assertThat(facts.path("totalLines").asInt()).isEqualTo(101);
        client.request(
                2, "resources/read", Map.of("uri", facts.path("logResource").asText()));
        assertThat(answer(client).toString()).contains("once");
    }

    /** Returns the next message that is no notification. */
    private static JsonNode answer(RawClient client) throws IOException {
        JsonNode next = client.next();
        while (!next.has("id")) {
            next = client.next();
        }
        return next;
    }

    private static JsonNode facts(JsonNode result) {
        return result.path("_meta").path("dev.paddock/result");
    }

    @Test
    void imageIsGivenAsImage() throws Exception {
        RawClient client = initialized();
        byte[] image = HexFormat.of().parseHex("474946383961010001008000000000ffffff2c000000000100010000020144003b");
        Files.write(worktree.resolve("dot.gif"), image);
        client.request(1, "tools/call", Map.of("name", "read", "arguments", Map.of("path", "dot.gif")));
        JsonNode content = client.next().path("result").path("content");
        assertThat(content.path(0).path("text").asText()).contains("1 × 1 pixels");
        assertThat(content.path(1).path("type").asText()).isEqualTo("image");
        assertThat(content.path(1).path("mimeType").asText()).isEqualTo("image/gif");
        assertThat(content.path(1).path("data").binaryValue()).isEqualTo(image);
    }

    /** They stand in each request of a client to its model. */
    @Test
    void descriptionsTogetherAreShort() throws Exception {
        RawClient client = initialized();
        client.request(1, "tools/list", Map.of());
        int characters = 0;
        for (JsonNode tool : client.next().path("result").path("tools")) {
            characters += tool.path("description").asText().length();
        }
        assertThat(characters).isBetween(1, 6_000);
    }

    @Test
    void shellsResultNamesItById() throws Exception {
        RawClient client = initialized();
        client.request(
                1,
                "tools/call",
                Map.of("name", "bash", "arguments", Map.of("command", "sleep 300", "run_in_background", true)));
        assertThat(facts(client.next().path("result")).path("shell_id").asText())
                .isEqualTo("bash_1");
        for (String name : List.of("bash_output", "kill_shell")) {
            client.request(2, "tools/call", Map.of("name", name, "arguments", Map.of("shell_id", "bash_1")));
            JsonNode structured = facts(answer(client).path("result"));
            assertThat(structured.path("shell_id").asText()).isEqualTo("bash_1");
            assertThat(structured.path("status").asText()).isEqualTo(name.equals("bash_output") ? "running" : "killed");
        }
    }

    @Test
    void messageTellsOnceOfShellsEnd() throws Exception {
        RawClient client = initialized();
        inBackground(client, 1, "exit 3");
        JsonNode message = message(client);
        assertThat(message.path("level").asText()).isEqualTo("info");
        assertThat(message.path("logger").asText()).isEqualTo("paddock");
        assertThat(message.path("data").asText())
                .startsWith("bash_1 (exit) has ended after ")
                .contains("seconds: failed, exit code 3. ");
        inBackground(client, 2, "true");
        assertThat(message(client).path("data").asText())
                .startsWith("bash_2 (true) has ended")
                .contains(": ok");
    }

    @Test
    void clientThatWantsOnlyWarningsReceivesNoMessage() throws Exception {
        RawClient client = initialized();
        client.request(1, "logging/setLevel", Map.of("level", "loud"));
        assertThat(client.next().path("error").path("message").asText()).contains("'loud'");
        client.request(2, "logging/setLevel", Map.of("level", "warning"));
        assertThat(client.next().has("result")).isTrue();
        inBackground(client, 3, "true");
        assertThat(answer(client).path("id").asInt()).isEqualTo(3);
        client.request(
                4,
                "tools/call",
                Map.of("name", "bash_output", "arguments", Map.of("shell_id", "bash_1", "wait_seconds", 30)));
        assertThat(RawClient.text(answer(client))).contains("completed");
        client.request(5, "logging/setLevel", Map.of("level", "info"));
        assertThat(answer(client).path("id").asInt()).isEqualTo(5);
        inBackground(client, 6, "true");
        assertThat(message(client).path("data").asText())
                .as("the first message, which the client wants")
                .startsWith("bash_2");
    }

    private static void inBackground(RawClient client, int id, String command) throws IOException {
        client.request(
                id,
                "tools/call",
                Map.of("name", "bash", "arguments", Map.of("command", command, "run_in_background", true)));
    }

    /** Returns the next log message. */
    private static JsonNode message(RawClient client) throws IOException {
        JsonNode next = client.next();
        while (!next.path("method").asText().equals("notifications/message")) {
            next = client.next();
        }
        return next.path("params");
    }

    @Test
    void fileContentIsReturnedAsTextAlone() throws Exception {
        Files.writeString(worktree.resolve("a"), "content\n");
        RawClient client = initialized();
        client.request(1, "tools/call", Map.of("name", "read", "arguments", Map.of("path", "a")));
        assertThat(client.next().path("result").has("_meta")).isFalse();
        client.request(
                2,
                "tools/call",
                Map.of("name", "edit", "arguments", Map.of("path", "a", "old_string", "content", "new_string", "x")));
        JsonNode structured = facts(client.next().path("result"));
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
        client.line("x".repeat(MessageReader.MAX_BYTES + 1));
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
    void longMessageArrives() throws Exception {
        RawClient client = initialized();
        String content = "0123456789abcdef".repeat(500_000);
        client.request(
                1, "tools/call", Map.of("name", "write", "arguments", Map.of("path", "long", "content", content)));
        assertThat(client.next().path("result").path("isError").asBoolean()).isFalse();
        assertThat(worktree.resolve("long")).hasContent(content);
    }

    @Test
    void pingIsAnsweredBeforeInitializationAndCallIsRefused() throws Exception {
        RawClient client = client();
        client.bash(1, "touch ran");
        assertThat(code(client.next())).isEqualTo(-32600);
        client.request("two", "ping", Map.of());
        assertThat(client.next().path("id").asText()).isEqualTo("two");
        client.initialize();
        assertThat(worktree.resolve("ran")).doesNotExist();
    }
}
