package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.Subscription;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Tests the loop, its events, and how a run ends. */
class LoopTest extends SessionTest {

    /** A tool that runs a test's function. */
    record TestTool(String name, BiFunction<ToolCall, ToolContext, ToolResult> action) implements Tool {
        @Override
        public String description() {
            return "For a test.";
        }

        @Override
        public Json inputSchema() {
            return Json.object().with("type", "object");
        }

        @Override
        public ExecutionSite executionSite() {
            return ExecutionSite.HOST;
        }

        @Override
        public ToolResult execute(ToolCall call, ToolContext context) {
            return action.apply(call, context);
        }
    }

    @Test
    void runsCommandAndAnswers() {
        AgentSession session =
                scripted("{'text': 'Look.', 'calls': [{'tool': 'bash', 'arguments': {'command': 'echo hello; pwd'}}]},"
                        + "{'expect': 'hello', 'text': 'Done.'}");
        RunOutcome outcome = session.prompt("Say hello");
        assertThat(outcome)
                .isEqualTo(RunOutcome.builder(RunOutcome.End.COMPLETED)
                        .text("Done.")
                        .turns(2)
                        .build());
        assertThat(results(session)).singleElement().satisfies(result -> {
            assertThat(result.isError()).isFalse();
            assertThat(result.text()).isEqualTo("hello\n" + worktree + "\n");
        });
    }

    @Test
    void eventsAreTypedAndInOrder() {
        AgentSession session = scripted(
                "{'text': 'Look here.', 'calls': [{'tool': 'bash', 'arguments': {'command': 'true'}}]}, {'text': 'Done.'}");
        session.prompt("Go");
        session.close();
        assertThat(events.stream()
                        .filter(event -> !(event instanceof SessionEvent.ToolUpdated))
                        .map(event -> event.getClass().getSimpleName())
                        .toList())
                .containsExactly(
                        "SessionStarted",
                        "RunStarted",
                        "MessageAdded",
                        "TurnStarted",
                        "TextReceived",
                        "TextReceived",
                        "MessageAdded",
                        "ToolStarted",
                        "CommandEnded",
                        "ToolEnded",
                        "MessageAdded",
                        "TurnEnded",
                        "TurnStarted",
                        "TextReceived",
                        "MessageAdded",
                        "TurnEnded",
                        "RunEnded",
                        "SessionEnded");
    }

    @Test
    void repeatedTurnIsReportedAndReplacesFirstAttempt() {
        AgentSession session = open(builder((request, listener) -> {
            listener.onText("Half a wo");
            listener.onRetry(ModelListener.Retry.of(
                    new ModelException(ModelException.Kind.BROKEN_STREAM, "the answer broke off"),
                    Duration.ofSeconds(3),
                    2,
                    4));
            listener.onText("Whole");
            throw new ModelException(ModelException.Kind.OVERLOADED, "too much to do");
        }));
        RunOutcome outcome = session.prompt("Go");
        assertThat(events)
                .contains(new SessionEvent.TurnRetried(1, "the answer broke off", Duration.ofSeconds(3), 2, 4));
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
        assertThat(outcome.text()).isEqualTo("Whole");
        assertThat(session.messages()).endsWith(new Message.Assistant("Whole", List.of()));
    }

    @Test
    void thoughtsAreEventsAndInNoMessage() {
        AgentSession session = scripted("{'thought': 'What is asked?', 'text': 'Done.'}");
        session.prompt("Go");
        assertThat(events)
                .containsSubsequence(
                        new SessionEvent.ThoughtReceived("What is asked?"), new SessionEvent.TextReceived("Done."));
        assertThat(session.messages())
                .containsExactly(new Message.User("Go"), new Message.Assistant("Done.", List.of()));
    }

    @Test
    void promptWhileBusyIsRefused() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        AgentSession session = open(builder((request, listener) -> {
            asked.countDown();
            awaitLatch(answer);
            return AssistantTurn.saying("Done.");
        }));
        CompletableFuture<RunOutcome> first = CompletableFuture.supplyAsync(() -> session.prompt("one"));
        awaitLatch(asked);
        assertThatThrownBy(() -> session.prompt("two"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("at work");
        answer.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).completed()).isTrue();
        assertThat(session.prompt("three").completed()).isTrue();
    }

    @Test
    void abortEndsRunAndItsCommands() throws Exception {
        AgentSession session = scripted(
                "{'calls': [{'tool': 'bash', 'arguments': {'command': 'echo begun; exec sleep 300'}}]}, {'text': 'no'}");
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        await("the command has written \"begun\"")
                .until(() -> events(SessionEvent.ToolUpdated.class).stream()
                        .anyMatch(update -> update.textSoFar().contains("begun")));
        session.abort();
        assertThat(run.get(30, TimeUnit.SECONDS).end()).isEqualTo(RunOutcome.End.ABORTED);
        assertThat(results(session)).singleElement().satisfies(result -> {
            assertThat(result.isError()).isTrue();
            assertThat(result.text()).startsWith("begun").contains("aborted");
        });
    }

    @Test
    void abortEndsModelThatIgnoresIt() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AgentSession session = open(builder((request, listener) -> {
                    listener.onText("half a sen");
                    asked.countDown();
                    awaitLatch(never);
                    return AssistantTurn.saying("no");
                })
                .abortPatience(impatient()));
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        awaitLatch(asked);
        session.abort();
        RunOutcome outcome = run.get(30, TimeUnit.SECONDS);
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.ABORTED);
        assertThat(outcome.text()).isEqualTo("half a sen");
        never.countDown();
    }

    @Test
    void abortEndsToolThatIgnoresIt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AgentSession session = open(builder(script("{'calls': [{'tool': 'deaf', 'arguments': {}}]}"))
                .killGrace(Duration.ZERO)
                .abortPatience(impatient())
                .addTool(new TestTool("deaf", (call, context) -> {
                    begun.countDown();
                    awaitLatch(never);
                    context.update("too late");
                    return ToolResult.ok("too late");
                })));
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        awaitLatch(begun);
        session.abort();
        assertThat(run.get(30, TimeUnit.SECONDS).end()).isEqualTo(RunOutcome.End.ABORTED);
        assertThat(results(session))
                .singleElement()
                .satisfies(result -> assertThat(result.text()).contains("did not return"));
        never.countDown();
        session.close();
        assertThat(events(SessionEvent.ToolEnded.class)).hasSize(1);
        assertThat(events(SessionEvent.ToolUpdated.class)).isEmpty();
    }

    @Test
    void interruptingPromptAborts() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        AgentSession session = open(builder((request, listener) -> {
            CountDownLatch aborted = new CountDownLatch(1);
            request.signal().onAbort(aborted::countDown);
            asked.countDown();
            awaitLatch(aborted);
            request.signal().throwIfAborted();
            return AssistantTurn.saying("no");
        }));
        CompletableFuture<String> seen = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            RunOutcome outcome = session.prompt("Go");
            seen.complete(outcome.end() + " " + Thread.currentThread().isInterrupted());
        });
        thread.start();
        awaitLatch(asked);
        thread.interrupt();
        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo("ABORTED true");
    }

    @Test
    void steeringIsReadBeforeNextTurn() {
        AtomicInteger turn = new AtomicInteger();
        AgentSession[] holder = new AgentSession[1];
        holder[0] = open(builder((request, listener) -> {
            if (turn.incrementAndGet() == 1) {
                holder[0].steer("Also the other one");
                return AssistantTurn.saying("Done.");
            }
            assertThat(request.messages().getLast()).isEqualTo(new Message.User("Also the other one"));
            return AssistantTurn.saying("Both done.");
        }));
        assertThat(holder[0].prompt("Go").text()).isEqualTo("Both done.");
    }

    @Test
    void messagesBetweenRunsAreReadWithNextRun() {
        AgentSession session = scripted("{'text': 'Done.'}");
        session.steer("First");
        session.steer("Second");
        session.prompt("Go");
        assertThat(session.messages())
                .startsWith(new Message.User("Go"), new Message.User("First"), new Message.User("Second"));
    }

    @Test
    void messagesDuringCallFollowItsResult() {
        AgentSession[] holder = new AgentSession[1];
        holder[0] = open(builder(script("{'calls': [{'tool': 'steered', 'arguments': {}}]}, {'text': 'Done.'}"))
                .addTool(new TestTool("steered", (call, context) -> {
                    holder[0].steer("Another thing");
                    return ToolResult.ok("");
                })));
        holder[0].prompt("Go");
        List<Message> messages = holder[0].messages();
        assertThat(messages.get(2)).isInstanceOf(Message.ToolResults.class);
        assertThat(messages.get(3)).isEqualTo(new Message.User("Another thing"));
    }

    @Test
    void abortWithoutRunDoesNothing() {
        AgentSession session = scripted("{'text': 'Done.'}");
        session.abort();
        assertThat(session.prompt("Go").completed()).isTrue();
        session.abort();
    }

    @Test
    void throwingOrSlowListenerHarmsNoOther() {
        CountDownLatch never = new CountDownLatch(1);
        AgentSession session = open(builder(script(
                        "{'calls': [{'tool': 'bash', 'arguments': {'command': 'seq 1 100000'}}]}, {'text': 'Done.'}"))
                .listenerPatience(Duration.ofMillis(500)));
        try (Subscription throwing = session.subscribe(event -> {
                    throw new IllegalStateException("broken listener");
                });
                Subscription dawdling = session.subscribe(event -> awaitLatch(never))) {
            assertThat(throwing).isNotSameAs(dawdling);
            assertThat(session.prompt("Go").completed()).isTrue();
        } finally {
            never.countDown();
        }
        await("the run's end is delivered")
                .until(() -> events(SessionEvent.RunEnded.class).size() == 1);
    }

    @Test
    void callsOfTurnRunAtSameTimeAndResultsAreInOrder() {
        CyclicBarrier all = new CyclicBarrier(3);
        AgentSession session = open(builder(script("{'calls': ["
                        + "{'tool': 'meet', 'arguments': {'n': 1}}, {'tool': 'meet', 'arguments': {'n': 2}},"
                        + "{'tool': 'meet', 'arguments': {'n': 3}}]}, {'text': 'Done.'}"))
                .addTool(new TestTool("meet", (call, context) -> {
                    try {
                        all.await(30, TimeUnit.SECONDS);
                    } catch (Exception fault) {
                        throw new IllegalStateException(fault);
                    }
                    return ToolResult.ok("met " + call.arguments().get("n").orElseThrow());
                })));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(results(session).stream().map(Message.ToolOutcome::text)).containsExactly("met 1", "met 2", "met 3");
    }

    @Test
    void unknownToolsAndInvalidArgumentsAreErrorResultsAndLoopGoesOn() {
        AgentSession session = scripted("{'calls': [{'tool': 'fly', 'arguments': {}},"
                + "{'tool': 'bash', 'arguments': {'timeout': 'soon', 'comand': 'ls'}},"
                + "{'tool': 'bash', 'arguments': {'command': 'echo fine', 'timeout': null}}]}, {'text': 'Done.'}");
        assertThat(session.prompt("Go").completed()).isTrue();
        List<Message.ToolOutcome> results = results(session);
        assertThat(results.get(0).isError()).isTrue();
        assertThat(results.get(0).text()).contains("no tool named 'fly'").contains("bash");
        assertThat(results.get(1).isError()).isTrue();
        assertThat(results.get(1).text())
                .contains("'command' is missing")
                .contains("'timeout' must be of type number, but is \"soon\"")
                .contains("'comand' is not known");
        assertThat(results.get(2).text()).isEqualTo("fine\n");
    }

    @Test
    void toolThatBreaksIsErrorResult() {
        AgentSession session =
                open(builder(script("{'calls': [{'tool': 'broken', 'arguments': {}}]}, {'text': 'Done.'}"))
                        .addTool(new TestTool("broken", (call, context) -> {
                            throw new IllegalStateException("out of order");
                        })));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(results(session)).singleElement().satisfies(result -> {
            assertThat(result.isError()).isTrue();
            assertThat(result.text()).contains("broken").contains("out of order");
        });
    }

    @Test
    void toolThatBreaksWithErrorIsErrorResultBesideOthers() {
        AgentSession session = open(builder(script(
                        "{'calls': [{'tool': 'endless', 'arguments': {}}, {'tool': 'bash', 'arguments': {'command': 'echo fine'}}]},"
                                + "{'text': 'Done.'}"))
                .addTool(new TestTool("endless", (call, context) -> {
                    throw new StackOverflowError();
                })));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(results(session)).extracting(Message.ToolOutcome::isError).containsExactly(true, false);
        assertThat(results(session).getFirst().text()).contains("endless").contains("StackOverflowError");
        assertThat(events(SessionEvent.ToolEnded.class)).hasSize(2);
    }

    @Test
    void runStopsAtItsTurnLimit() {
        AtomicInteger turns = new AtomicInteger();
        AgentSession session = open(builder((request, listener) ->
                        AssistantTurn.calling("", bash("call-" + turns.incrementAndGet(), "true")))
                .maxTurns(3));
        RunOutcome outcome = session.prompt("Go");
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.MAX_TURNS);
        assertThat(outcome.turns()).isEqualTo(3);
        assertThat(turns).hasValue(3);
    }

    @Test
    void modelThatFailsFailsRunAndNextMayGoOn() {
        AtomicInteger turns = new AtomicInteger();
        AgentSession session = open(builder((request, listener) -> {
            if (turns.incrementAndGet() == 1) {
                throw new IllegalStateException("overloaded");
            }
            return AssistantTurn.saying("Done.");
        }));
        RunOutcome outcome = session.prompt("Go");
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
        assertThat(outcome.failure())
                .hasValueSatisfying(fault -> assertThat(fault).hasMessage("overloaded"));
        assertThat(session.prompt("Again").completed()).isTrue();
    }

    static void awaitLatch(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("what was waited for did not come");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
