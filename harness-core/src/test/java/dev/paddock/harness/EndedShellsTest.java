package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that the model learns at its next turn, whatever it does there, which background shells have ended. */
class EndedShellsTest extends SessionTest {
    private static final String NOTICE = "[bash_1 has ended: failed after";
    private static final String UNTIL_ASKED = "until [ -e go ]; do sleep 0.02; done; exit 3";

    private final AtomicInteger calls = new AtomicInteger();

    private ToolCall call(String tool, Json arguments) {
        return new ToolCall("call-" + calls.incrementAndGet(), tool, arguments);
    }

    private ToolCall start(String command) {
        return call("bash", Json.object().with("command", command).with("run_in_background", true));
    }

    private ToolCall ls() {
        return call("ls", Json.object());
    }

    private void endShell() throws IOException {
        Files.createFile(worktree.resolve("go"));
        await("the shell has ended")
                .until(() -> !events(SessionEvent.CommandEnded.class).isEmpty());
    }

    private static long told(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.toString().contains(NOTICE))
                .count();
    }

    @Test
    void firstResultOfAnyToolTellsOnce() throws IOException {
        AgentSession session = open(builder(Model.none()));
        ToolResult started = session.call(start(UNTIL_ASKED), AbortSignal.never(), text -> {});
        assertThat(started.isError()).as(started.text()).isFalse();
        assertThat(session.call(ls(), AbortSignal.never(), text -> {}).text()).doesNotContain("has ended");

        endShell();

        await("a result tells of the end")
                .until(() -> session.call(ls(), AbortSignal.never(), text -> {})
                        .text()
                        .startsWith("go\n\n" + NOTICE));
        assertThat(session.call(ls(), AbortSignal.never(), text -> {}).text()).isEqualTo("go");
    }

    @Test
    void firstResultOfTurnTells() {
        AtomicInteger turns = new AtomicInteger();
        AgentSession session = open(builder((request, listener) -> {
                    if (turns.incrementAndGet() == 1) {
                        return AssistantTurn.calling("", start("exit 3"));
                    }
                    return told(request.messages()) == 0
                            ? AssistantTurn.calling("", ls(), ls())
                            : AssistantTurn.saying("Seen.");
                })
                .maxTurns(10_000));

        assertThat(session.prompt("Go").text()).isEqualTo("Seen.");

        assertThat(results(session))
                .filteredOn(result -> result.text().contains(NOTICE))
                .hasSize(1);
        Message last = session.messages().get(session.messages().size() - 2);
        assertThat(((Message.ToolResults) last).results().getFirst().text()).contains(NOTICE);
    }

    @Test
    void nextPromptTellsBeforeIt() throws IOException {
        AtomicInteger turns = new AtomicInteger();
        AgentSession session = open(builder((request, listener) -> turns.incrementAndGet() == 1
                ? AssistantTurn.calling("", start(UNTIL_ASKED))
                : AssistantTurn.saying("Done.")));
        session.prompt("Go");
        assertThat(told(session.messages())).isZero();

        endShell();

        await("a prompt tells of the end").until(() -> {
            session.prompt("Next");
            return told(session.messages()) > 0;
        });
        session.prompt("Last");
        assertThat(told(session.messages())).isOne();
        List<Message> messages = session.messages();
        assertThat(messages.get(messages.size() - 5).toString()).contains(NOTICE);
        assertThat(messages.get(messages.size() - 4)).isEqualTo(new Message.User("Next"));
    }
}
