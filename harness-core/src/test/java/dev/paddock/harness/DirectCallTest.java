package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.skills.Skills;
import dev.paddock.harness.tools.web.WebAccess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests a session whose model is elsewhere: its tools are called without a prompt. */
class DirectCallTest extends SessionTest {
    private static final InheritableThreadLocal<String> LOCAL = new InheritableThreadLocal<>();

    private final List<String> updates = new CopyOnWriteArrayList<>();

    private AgentSession unprompted() {
        return open(builder(Model.none()));
    }

    private ToolResult bash(AgentSession session, String argument, String value, AbortSignal signal) {
        return session.call(new ToolCall("1", "bash", Json.object().with(argument, value)), signal, updates::add);
    }

    private CompletableFuture<ToolResult> begin(AgentSession session, AbortSignal signal) {
        CompletableFuture<ToolResult> call =
                CompletableFuture.supplyAsync(() -> bash(session, "command", "echo begun; exec sleep 300", signal));
        await("the command has written \"begun\"")
                .until(() -> updates.stream().anyMatch(text -> text.contains("begun")));
        return call;
    }

    @Test
    void callIsCheckedCarriedOutAndReported() {
        AgentSession session = unprompted();
        assertThat(bash(session, "command", "echo done", AbortSignal.never()).text())
                .startsWith("done\n");
        ToolResult misused = bash(session, "comand", "echo done", AbortSignal.never());
        assertThat(misused.isError()).isTrue();
        assertThat(misused.text()).contains("'command' is missing");
        await("both calls have ended")
                .until(() -> events(SessionEvent.ToolEnded.class).size() == 2);
        assertThat(session.messages()).isEmpty();
    }

    @Test
    void abortEndsCallAlone() throws Exception {
        AgentSession session = unprompted();
        AbortController abort = new AbortController();
        CompletableFuture<ToolResult> call = begin(session, abort.signal());
        abort.abort();
        assertThat(call.get(30, TimeUnit.SECONDS).text()).contains("aborted");
        assertThat(bash(session, "command", "echo on", AbortSignal.never()).text())
                .startsWith("on\n");
    }

    @Test
    void interruptAbortsCallAndResultSaysWhatBecameOfCommand() throws Exception {
        AgentSession session = unprompted();
        CompletableFuture<ToolResult> result = new CompletableFuture<>();
        CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            result.complete(bash(session, "command", "echo begun; exec sleep 300", AbortSignal.never()));
            stillInterrupted.complete(Thread.currentThread().isInterrupted());
        });
        await("the command writes").until(() -> updates.stream().anyMatch(text -> text.contains("begun")));
        caller.interrupt();
        assertThat(result.get(30, TimeUnit.SECONDS).text())
                .startsWith("begun\n")
                .contains("aborted")
                .doesNotContain("may still be at work");
        assertThat(stillInterrupted.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void noThreadLocalOfCallerReachesTool() throws Exception {
        AgentSession session = open(builder(Model.none())
                .tools(List.of(
                        new LoopTest.TestTool("look", (call, context) -> ToolResult.ok(String.valueOf(LOCAL.get()))))));
        ToolCall look = new ToolCall("1", "look", Json.object());
        LOCAL.set("the first caller's");
        CompletableFuture<String> inherited = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> inherited.complete(LOCAL.get())).join();
        assertThat(inherited.join())
                .as("the control: an ordinary thread inherits")
                .isEqualTo("the first caller's");
        assertThat(session.call(look, AbortSignal.never(), updates::add).text()).isEqualTo("null");
        LOCAL.remove();
    }

    @Test
    void closingSessionEndsCalls() throws Exception {
        AgentSession session = unprompted();
        CompletableFuture<ToolResult> call = begin(session, AbortSignal.never());
        session.close();
        assertThat(call.get(30, TimeUnit.SECONDS).text()).contains("aborted");
        assertThatThrownBy(() -> bash(session, "command", "true", AbortSignal.never()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void sessionWithoutModelCannotBePrompted() {
        RunOutcome outcome = unprompted().prompt("Go");
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
        assertThat(outcome.failure().orElseThrow()).hasMessageContaining("no model");
    }

    @Test
    void readOnlyToolsAreMarkedReadOnly() {
        AgentSession session = open(builder(Model.none())
                .tools(ToolSelection.builder()
                        .webFetch(WebAccess.standard())
                        .webSearch((query, most, signal) -> List.of())
                        .skills(Skills.in(worktree))
                        .build()));
        assertThat(session.tools())
                .filteredOn(Tool::isReadOnly)
                .extracting(Tool::name)
                .containsExactlyInAnyOrder(
                        "read", "ls", "grep", "find", "bash_output", "web_fetch", "web_search", "skill");
    }
}
