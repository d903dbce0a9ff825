package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a program decides about each call, and that everything but a permission denies. */
class ApprovalTest extends SessionTest {
    private final List<ApprovalRequest> asked = new CopyOnWriteArrayList<>();
    private final List<String> spawned = new CopyOnWriteArrayList<>();
    private final CommandExecutor recording = (command, options) -> {
        spawned.add(command);
        return host.spawn(command, options);
    };

    private Approver answering(Approver approver) {
        return request -> {
            asked.add(request);
            return approver.decide(request);
        };
    }

    private Toolbox toolbox(Approver approver) {
        return Toolbox.builder()
                .cwd(worktree)
                .executor(recording)
                .sessionDirectory(home.resolve("toolbox"))
                .listener(events::add)
                .approver(answering(approver))
                .build();
    }

    private static ToolResult call(Toolbox toolbox, String tool, String arguments) {
        return toolbox.call(tool, arguments.replace('\'', '"'), AbortSignal.never());
    }

    private List<String> keys() {
        return asked.stream().map(ApprovalRequest::sessionKey).toList();
    }

    @Test
    void eachCallIsAskedAboutAndCarriedOutOnceAllowed() {
        try (Toolbox toolbox = toolbox(request -> Approval.allow())) {
            for (int i = 0; i < 2; i++) {
                assertThat(call(toolbox, "bash", "{'command': 'echo ran', 'timeout': 9}")
                                .text())
                        .isEqualTo("ran\n");
            }
            assertThat(call(toolbox, "ls", "{}").isError()).isFalse();
        }
        assertThat(keys()).containsExactly("bash echo ran", "bash echo ran", "ls");
        assertThat(asked.getFirst().call().arguments().integer("timeout")).hasValue(9);
        assertThat(asked)
                .extracting(ApprovalRequest::executionSite)
                .containsExactly(ExecutionSite.SANDBOX, ExecutionSite.SANDBOX, ExecutionSite.WORKTREE);
        assertThat(asked).extracting(ApprovalRequest::isReadOnly).containsExactly(false, false, true);
        assertThat(asked).extracting(ApprovalRequest::leavesSandbox).containsExactly(true, true, false);
    }

    @Test
    void deniedCommandNeverTouchesExecutorAndModelReadsReason() {
        AgentSession session = open(builder(script("{'calls': [{'tool': 'bash', 'arguments': {'command': 'touch made',"
                        + " 'run_in_background': true}}]}, {'text': 'Done.'}"))
                .executor(recording)
                .approver(request -> Approval.deny("not on a Friday")));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(spawned).as("not even the probe").isEmpty();
        assertThat(results(session)).singleElement().satisfies(result -> {
            assertThat(result.isError()).isTrue();
            assertThat(result.text()).startsWith("The call of bash was denied: not on a Friday. Nothing was done.");
        });
        assertThat(events(SessionEvent.ToolEnded.class)).singleElement().satisfies(ended -> {
            assertThat(ended.result().isError()).isTrue();
            assertThat(ended.result().details().text("denied").orElseThrow()).isEqualTo("not on a Friday");
        });
        assertThat(events(SessionEvent.CommandEnded.class)).singleElement().satisfies(ended -> {
            assertThat(ended.audit().outcome()).isEqualTo(CommandAudit.Outcome.DENIED);
            assertThat(ended.audit().program()).isEqualTo("touch");
            assertThat(ended.audit().background()).isTrue();
        });
    }

    @Test
    void permissionForSessionHoldsForItsKeyAlone() {
        try (Toolbox toolbox = toolbox(request -> Approval.allowForSession())) {
            call(toolbox, "bash", "{'command': 'echo a'}");
            call(toolbox, "bash", "{'command': 'echo a', 'timeout': 9}");
            call(toolbox, "bash", "{'command': 'echo a '}");
            call(toolbox, "bash", "{'command': 'echo a; touch b'}");
            call(toolbox, "bash", "{'command': 'echo a', 'cwd': '/'}");
            call(toolbox, "write", "{'path': 'one', 'content': ''}");
            call(toolbox, "write", "{'path': 'two', 'content': ''}");
            call(toolbox, "read", "{'path': 'one'}");
        }
        assertThat(keys())
                .containsExactly(
                        "bash echo a",
                        "bash echo a ",
                        "bash echo a; touch b",
                        "bash(in \"/\") echo a",
                        "write",
                        "read");
    }

    @Test
    void otherToolsAreRememberedWithAllTheirArguments() {
        try (Toolbox toolbox = toolbox(request -> Approval.allowForSession())) {
            call(toolbox, "kill_shell", "{'shell_id': 'bash_1'}");
            call(toolbox, "kill_shell", "{'shell_id': 'bash_1'}");
            call(toolbox, "kill_shell", "{'shell_id': 'bash_2'}");
        }
        assertThat(keys())
                .containsExactly("kill_shell {\"shell_id\":\"bash_1\"}", "kill_shell {\"shell_id\":\"bash_2\"}");
    }

    /** A tool of that name which the program supplies is not the session's. */
    @Test
    void toolThatReplacesBashIsAskedAboutOnceAndRememberedWithAllItsArguments() {
        try (Toolbox toolbox = Toolbox.builder()
                .cwd(worktree)
                .executor(recording)
                .sessionDirectory(home.resolve("toolbox"))
                .tools(ToolSelection.builder()
                        .buildTools(tools -> List.of(new WrappedTool(tools.getFirst())))
                        .build())
                .approver(answering(request -> Approval.allow()))
                .build()) {
            assertThat(call(toolbox, "bash", "{'timeout': 9, 'command': 'echo ran'}")
                            .text())
                    .isEqualTo("ran\n");
        }
        assertThat(keys()).containsExactly("bash {\"command\":\"echo ran\",\"timeout\":9}");
    }

    private record WrappedTool(Tool inner) implements Tool {
        @Override
        public String name() {
            return inner.name();
        }

        @Override
        public String description() {
            return inner.description();
        }

        @Override
        public Json inputSchema() {
            return inner.inputSchema();
        }

        @Override
        public ExecutionSite executionSite() {
            return inner.executionSite();
        }

        @Override
        public ToolResult execute(ToolCall call, ToolContext context) {
            return inner.execute(call, context);
        }
    }

    @NullUnmarked
    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("null", (Approver) request -> null),
                Arguments.of("exception", (Approver) request -> {
                    throw new IllegalStateException("the dialog broke");
                }),
                Arguments.of("error", (Approver) request -> {
                    throw new AssertionError("the dialog broke");
                }),
                Arguments.of("no reason", (Approver) request -> Approval.deny(null)),
                Arguments.of("interrupt", (Approver) request -> {
                    throw new InterruptedException("the dialog broke");
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void approverThatFailsDenies(String fault, Approver approver) {
        try (Toolbox toolbox = toolbox(approver)) {
            ToolResult result = call(toolbox, "bash", "{'command': 'touch made'}");
            assertThat(result.isError()).as(fault).isTrue();
            assertThat(result.text()).contains("was denied", "Nothing was done");
        }
        assertThat(asked).hasSize(1);
        assertThat(spawned).isEmpty();
    }

    @Test
    void abortDeniesAtOnceAlsoIfApproverNeverReturns() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger questions = new AtomicInteger();
        AgentSession session = open(builder(
                        script(
                                "{'calls': [{'tool': 'bash', 'arguments': {'command': 'touch made'}},"
                                        + " {'tool': 'write', 'arguments': {'path': 'made', 'content': ''}}]}, {'text': 'Done.'}"))
                .executor(recording)
                .approver(request -> {
                    questions.incrementAndGet();
                    awaitUninterruptibly(released);
                    return Approval.allowForSession();
                }));
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        await("the question").until(() -> questions.get() == 1);
        session.abort();
        assertThat(run.get(30, TimeUnit.SECONDS).end()).isEqualTo(RunOutcome.End.ABORTED);
        assertThat(results(session))
                .hasSize(2)
                .allSatisfy(result -> assertThat(result.text()).contains("aborted before it was approved"));
        assertThat(events(SessionEvent.CommandEnded.class))
                .singleElement()
                .returns(CommandAudit.Outcome.ABORTED, ended -> ended.audit().outcome());
        assertThat(spawned).isEmpty();
        assertThat(worktree.resolve("made")).doesNotExist();
        assertThat(questions).as("questions while the first one is open").hasValue(1);
        released.countDown();
    }

    @Test
    void answerThatComesAfterAbortIsNotRemembered() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        AbortController abort = new AbortController();
        try (Toolbox toolbox = toolbox(request -> {
            awaitUninterruptibly(released);
            return Approval.allowForSession();
        })) {
            CompletableFuture<ToolResult> call = CompletableFuture.supplyAsync(
                    () -> toolbox.call("bash", "{\"command\": \"true\"}", abort.signal()));
            await("the question").until(() -> asked.size() == 1);
            abort.abort();
            assertThat(call.get(30, TimeUnit.SECONDS).text()).contains("aborted before it was approved");
            released.countDown();
            call(toolbox, "bash", "{'command': 'true'}");
        }
        assertThat(keys()).containsExactly("bash true", "bash true");
    }

    @Test
    void interruptingCallerInterruptsApproverAndDenies() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        CompletableFuture<ToolResult> result = new CompletableFuture<>();
        try (Toolbox toolbox = toolbox(request -> {
            try {
                new CountDownLatch(1).await();
                return Approval.allow();
            } catch (InterruptedException now) {
                interrupted.complete(request.signal().isAborted());
                throw now;
            }
        })) {
            Thread caller = Thread.ofPlatform()
                    .start(() -> result.complete(
                            toolbox.call("bash", "{\"command\": \"touch made\"}", AbortSignal.never())));
            await("the question").until(() -> asked.size() == 1);
            caller.interrupt();
            assertThat(result.get(30, TimeUnit.SECONDS).text()).contains("aborted before it was approved");
            assertThat(interrupted.get(30, TimeUnit.SECONDS))
                    .as("the request's signal is aborted")
                    .isTrue();
        }
        assertThat(spawned).isEmpty();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException now) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void concurrentCallsAskOneAtTime() throws Exception {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        AgentSession session = open(builder(
                        script("{'calls': [{'tool': 'ls', 'arguments': {'path': '.'}}, {'tool': 'ls', 'arguments': {}},"
                                + " {'tool': 'bash', 'arguments': {'command': 'true'}},"
                                + " {'tool': 'bash', 'arguments': {'command': 'true'}}]}, {'text': 'Done.'}"))
                .approver(answering(request -> {
                    most.accumulateAndGet(open.incrementAndGet(), Math::max);
                    first.await();
                    open.decrementAndGet();
                    return request.call().name().equals("bash") ? Approval.allowForSession() : Approval.allow();
                })));
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        await("all calls have started")
                .until(() -> events(SessionEvent.ToolStarted.class).size() == 4 && asked.size() == 1);
        first.countDown();
        assertThat(run.get(60, TimeUnit.SECONDS).completed()).isTrue();
        assertThat(results(session)).hasSize(4).noneMatch(result -> result.isError());
        assertThat(most).as("questions at a time").hasValue(1);
        assertThat(keys())
                .as("the second command was allowed while it waited for its turn")
                .containsExactlyInAnyOrder("ls", "ls", "bash true");
    }

    @Test
    void callsThatCannotBeCarriedOutAreNotAskedAbout() {
        AgentSession session = open(builder(Model.none())
                .executor(recording)
                .allowedCommands(List.of("echo"))
                .approver(answering(request -> Approval.allow())));
        Toolbox toolbox = Toolbox.of(session);
        assertThat(call(toolbox, "bash", "{'command': 'touch made'}").text()).contains("'touch' is not allowed");
        assertThat(call(toolbox, "bash", "{'comand': 'echo'}").text()).contains("'command' is missing");
        assertThat(call(toolbox, "bush", "{}").text()).contains("no tool named");
        assertThat(asked).isEmpty();
        assertThat(spawned).isEmpty();
        call(toolbox, "bash", "{'command': 'echo'}");
        assertThat(keys()).containsExactly("bash echo");
    }

    @ParameterizedTest
    @EnumSource(names = {"HOST", "BWRAP", "LANDLOCK"})
    void commandsLeaveSandboxOnHostAlone(Backend backend) {
        try (Toolbox toolbox = Toolbox.builder()
                .cwd(worktree)
                .executor(backend.executor(worktree))
                .sessionDirectory(home.resolve("toolbox"))
                .addTool(new LoopTest.TestTool("remote", (call, context) -> ToolResult.ok("done")))
                .approver(answering(request -> Approval.deny("")))
                .build()) {
            call(toolbox, "bash", "{'command': 'true'}");
            assertThat(call(toolbox, "remote", "{}").text()).startsWith("The call of remote was denied. Nothing");
        }
        assertThat(asked).extracting(ApprovalRequest::leavesSandbox).containsExactly(backend == Backend.HOST, true);
    }
}
