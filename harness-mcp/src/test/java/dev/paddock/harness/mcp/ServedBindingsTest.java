package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.ExecPolicy;
import dev.paddock.harness.model.Model;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bindings of a container as tools that an MCP client calls, with commands in bubblewrap. */
class ServedBindingsTest {
    private static final String CANARY = "canary-4711";

    @TempDir
    private Path directory;

    private int calls;

    private JsonNode call(RawClient client, String tool, Map<String, ?> arguments) throws Exception {
        client.request(++calls, "tools/call", Map.of("name", tool, "arguments", arguments));
        return client.next();
    }

    @Test
    void clientGetsWhatContainerGrantsAndNoDeniedContentAndNoSecret() throws Exception {
        Path root = Files.createDirectory(directory.toRealPath().resolve("project"));
        Files.writeString(root.resolve(".env"), "NAME=open\nAPI_KEY=" + CANARY + "\n");
        Files.writeString(root.resolve("denied.txt"), "denied " + CANARY);
        Files.writeString(root.resolve("a.txt"), "granted");
        try (AgentContainer container = AgentContainer.builder(root)
                        .backend("bwrap")
                        .denyRead(List.of("denied.txt"))
                        .exec(ExecPolicy.only(List.of("cat", "env")))
                        .build();
                AgentSession session = AgentSession.builder()
                        .model(Model.none())
                        .cwd(root)
                        .executor(HostExecutor.create())
                        .sessionDirectory(directory.resolve("session"))
                        .tools(container.tools())
                        .build();
                RawClient client = new RawClient(McpToolServer.of(session, "test", "1")::serve)) {
            client.initialize();
            client.request("list", "tools/list", Map.of());
            assertThat(client.next().path("result").path("tools").findValuesAsText("name"))
                    .contains("read", "write", "edit", "glob", "grep", "bash");

            assertThat(RawClient.text(call(client, "read", Map.of("path", "a.txt"))))
                    .isEqualTo("granted");
            assertThat(RawClient.text(call(client, "bash", Map.of("command", "cat", "args", List.of("a.txt")))))
                    .contains("granted", "Exit code 0.");
            assertThat(RawClient.text(call(client, "read", Map.of("path", ".env"))))
                    .isEqualTo("NAME=\"open\"");

            for (JsonNode refused : List.of(
                    call(client, "read", Map.of("path", "denied.txt")),
                    call(client, "bash", Map.of("command", "sh", "args", List.of("-c", "cat denied.txt"))))) {
                assertThat(refused.path("result").path("isError").asBoolean())
                        .as(refused.toString())
                        .isTrue();
                assertThat(refused.toString()).doesNotContain(CANARY);
            }
            for (JsonNode answer : List.of(
                    call(client, "grep", Map.of("query", "canary")),
                    call(client, "bash", Map.of("command", "cat", "args", List.of(".env", "denied.txt"))),
                    call(client, "bash", Map.of("command", "env")))) {
                assertThat(answer.has("result")).as(answer.toString()).isTrue();
                assertThat(answer.toString()).doesNotContain(CANARY);
            }
        }
    }
}
