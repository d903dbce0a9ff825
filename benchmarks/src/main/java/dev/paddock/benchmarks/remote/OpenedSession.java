package dev.paddock.benchmarks.remote;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.paddock.executor.kubernetes.KubernetesExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.tools.ToolCall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A session with an executor of its own, whose model calls the bash tool once for each prompt. */
final class OpenedSession implements AutoCloseable {
    private final KubernetesExecutor executor;
    private final AgentSession session;
    private final AtomicReference<Optional<SessionEvent.ToolEnded>> ended = new AtomicReference<>(Optional.empty());

    private OpenedSession(KubernetesExecutor executor, Path worktree, Path directory) {
        this.executor = executor;
        session = AgentSession.builder()
                .model(new TrueModel())
                .cwd(worktree)
                .executor(executor)
                .execCwd(executor.worktree().orElseThrow().commandPath())
                .sessionDirectory(directory.resolve("log"))
                .listener(event -> {
                    if (event instanceof SessionEvent.ToolEnded call) {
                        ended.set(Optional.of(call));
                    }
                })
                .build();
    }

    /** Opens a session; the executor is closed with it. */
    static OpenedSession open(KubernetesExecutor executor, Path worktree, Path directory) {
        try {
            return new OpenedSession(executor, worktree, directory);
        } catch (RuntimeException fault) {
            executor.close();
            throw fault;
        }
    }

    /** Returns how long one call of the bash tool took, in nanoseconds. */
    long call() throws IOException {
        ended.set(Optional.empty());
        session.prompt("Go on.");
        SessionEvent.ToolEnded call = ended.get().orElseThrow(() -> new IOException("no tool was called"));
        if (call.result().isError()) {
            throw new IOException(call.result().text().lines().findFirst().orElse("the bash tool failed"));
        }
        return call.took().toNanos();
    }

    String pod() {
        return executor.pod().orElseThrow();
    }

    @Override
    public void close() {
        session.close();
    }

    /** Calls the bash tool at every other turn. */
    private static final class TrueModel implements Model {
        private boolean called;

        @Override
        public AssistantTurn respond(ModelRequest request, ModelListener listener) {
            called = !called;
            return called
                    ? new AssistantTurn(
                            "",
                            List.of(new ToolCall(
                                    "call",
                                    "bash",
                                    JsonNodeFactory.instance.objectNode().put("command", "true"))),
                            Optional.empty())
                    : AssistantTurn.saying("done");
        }
    }
}
