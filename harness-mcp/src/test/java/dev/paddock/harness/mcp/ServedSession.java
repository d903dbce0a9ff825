package dev.paddock.harness.mcp;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.ToolSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A session on the host that a server serves to a client of the test's own. */
abstract class ServedSession {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    final List<SessionEvent> events = new CopyOnWriteArrayList<>();
    final List<AutoCloseable> opened = new ArrayList<>();
    Path worktree = Path.of("/");

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

    AgentSession session(ToolSource... sources) {
        AgentSessionBuilder builder = AgentSession.builder()
                .model(Model.none())
                .cwd(worktree)
                .executor(HostExecutor.create())
                .killGrace(PATIENCE) // what a command does on SIGTERM is done on a busy machine too
                .sessionDirectory(directory.resolve("session"))
                .listener(events::add);
        List.of(sources).forEach(builder::toolSource);
        AgentSession session = builder.build();
        opened.add(session);
        return session;
    }

    RawClient client(ToolSource... sources) throws IOException {
        RawClient client = new RawClient(McpToolServer.of(session(sources), "test", "1")::serve);
        opened.add(client);
        return client;
    }

    RawClient initialized(ToolSource... sources) throws IOException {
        RawClient client = client(sources);
        client.initialize();
        return client;
    }

    static int code(JsonNode answer) {
        return answer.path("error").path("code").asInt();
    }

    void awaitFile(String name) {
        await("the file that the command writes exists")
                .atMost(PATIENCE)
                .until(() -> Files.exists(worktree.resolve(name)));
    }

    /** Returns a command that reports that it runs, and waits until it is terminated. */
    static String gated(int number) {
        return "touch runs" + number + "; until [ -e go ]; do sleep 0.05; done; echo " + number;
    }

    static JsonNode tool(RawClient client, String name) throws IOException {
        client.request("tools", "tools/list", Map.of());
        for (JsonNode tool : client.next().path("result").path("tools")) {
            if (tool.path("name").asText().equals(name)) {
                return tool;
            }
        }
        throw new AssertionError("there is no tool " + name);
    }
}
