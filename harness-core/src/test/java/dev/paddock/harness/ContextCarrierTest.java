package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests which context the threads of a session have. */
class ContextCarrierTest extends SessionTest {
    private static final ThreadLocal<String> CONTEXT = ThreadLocal.withInitial(() -> "none");

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private static Runnable carry(Runnable task) {
        String captured = CONTEXT.get();
        return () -> {
            String before = CONTEXT.get();
            CONTEXT.set(captured);
            try {
                task.run();
            } finally {
                CONTEXT.set(before);
            }
        };
    }

    private void call(AgentSession session, String context) {
        CONTEXT.set(context);
        try {
            var unused = session.call(
                    new ToolCall("1", "bash", Json.object().with("command", "true")),
                    AbortSignal.never(),
                    update -> {});
        } finally {
            CONTEXT.remove();
        }
    }

    private AgentSessionBuilder observed() {
        return builder(Model.none()).approver(question -> {
            seen.add(CONTEXT.get());
            return Approval.allow();
        });
    }

    @Test
    void eachCallHasItsCallersContext() {
        AgentSession session = open(observed().contextCarrier(ContextCarrierTest::carry));
        call(session, "ada");
        call(session, "bob");
        assertThat(seen).containsExactly("ada", "bob");
    }

    @Test
    void withoutCarrierNoContextReachesCall() {
        AgentSession session = open(observed());
        call(session, "ada");
        assertThat(seen).containsExactly("none");
    }
}
