package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.loop.AbortPatience;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ScriptedModel;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base class of session tests: provides a working directory, and closes the sessions after the
 * test.
 */
public abstract class SessionTest {

    @TempDir
    public Path home;

    Path worktree = Path.of("/");
    final List<SessionEvent> events = new CopyOnWriteArrayList<>();
    final CommandExecutor host = HostExecutor.create();
    private final List<AgentSession> sessions = new ArrayList<>();

    @BeforeEach
    void makeWorktree() throws IOException {
        worktree = Files.createDirectory(home.resolve("worktree"));
    }

    @AfterEach
    void closeSessions() {
        sessions.forEach(AgentSession::close);
        host.dispose();
    }

    AgentSessionBuilder builder(Model model) {
        return AgentSession.builder()
                .model(model)
                .cwd(worktree)
                .executor(host)
                .sessionDirectory(home.resolve("session"))
                .listener(events::add);
    }

    AgentSession open(AgentSessionBuilder builder) {
        AgentSession session = builder.build();
        sessions.add(session);
        return session;
    }

    AgentSession scripted(String turns) {
        return open(builder(script(turns)));
    }

    static ScriptedModel script(String turns) {
        return ScriptedModel.parse("test", "{\"turns\": [" + turns.replace('\'', '"') + "]}");
    }

    static ToolCall bash(String id, String command) {
        return new ToolCall(id, "bash", Json.object().with("command", command));
    }

    /** Returns how long an aborted session waits in a test in which something never reacts to the abort. */
    static AbortPatience impatient() {
        return new AbortPatience(Duration.ofMillis(20), Duration.ofMillis(20), Duration.ofMillis(20));
    }

    List<Message.ToolOutcome> results(AgentSession session) {
        List<Message.ToolOutcome> results = new ArrayList<>();
        for (Message message : session.messages()) {
            if (message instanceof Message.ToolResults found) {
                results.addAll(found.results());
            }
        }
        return results;
    }

    <E extends SessionEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
