package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.store.MessageStore;
import dev.paddock.harness.store.SessionDirectory;
import dev.paddock.harness.tools.ToolResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests how a session is closed. */
class DisposalTest extends SessionTest {

    /** Counts its disposals, and can fail in them. */
    private final class Disposable implements CommandExecutor {
        private final AtomicInteger disposals = new AtomicInteger();
        private final Runnable onDispose;

        Disposable(Runnable onDispose) {
            this.onDispose = onDispose;
        }

        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            return host.spawn(command, options);
        }

        @Override
        public void dispose() {
            disposals.incrementAndGet();
            onDispose.run();
        }
    }

    @Test
    void closingEndsRunAndItsCommandFirst() throws Exception {
        AgentSession session =
                scripted("{'calls': [{'tool': 'bash', 'arguments': {'command': 'echo begun; exec sleep 300'}}]}");
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        await("the command has written \"begun\"")
                .until(() -> events(SessionEvent.ToolUpdated.class).stream()
                        .anyMatch(update -> update.textSoFar().contains("begun")));
        session.close();
        assertThat(run.get(30, TimeUnit.SECONDS).end()).isEqualTo(RunOutcome.End.ABORTED);
        assertThat(results(session))
                .singleElement()
                .satisfies(result -> assertThat(result.text()).contains("aborted"));
        assertThat(events.getLast()).isEqualTo(new SessionEvent.SessionEnded());
    }

    @Test
    void stepsAreTakenInOrder() throws Exception {
        List<String> done = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        Disposable executor = new Disposable(() -> done.add("executor disposed of"));
        AgentSession session = open(builder(script("{'calls': [{'tool': 'wait', 'arguments': {}}]}"))
                .executor(executor)
                .toolSource(new StandInSource("stand-in server", List.of(), "", done::add))
                .addTool(new LoopTest.TestTool("wait", (call, context) -> {
                    CountDownLatch aborted = new CountDownLatch(1);
                    context.signal().onAbort(aborted::countDown);
                    begun.countDown();
                    LoopTest.awaitLatch(aborted);
                    done.add("call aborted: " + context.signal().reason().orElse(""));
                    return ToolResult.error("aborted");
                })));
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        LoopTest.awaitLatch(begun);
        done.clear();
        session.close();
        assertThat(run.get(30, TimeUnit.SECONDS).end()).isEqualTo(RunOutcome.End.ABORTED);
        assertThat(done)
                .containsExactly(
                        "call aborted: the session is being closed", "executor disposed of", "closed stand-in server");
    }

    @Test
    void streamingModelIsEndedAndItsTextIsKept() throws Exception {
        CountDownLatch speaking = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AgentSession session = builder((request, listener) -> {
                    listener.onText("half a sen");
                    speaking.countDown();
                    LoopTest.awaitLatch(never);
                    listener.onText("tence, too late");
                    return AssistantTurn.saying("half a sentence, too late");
                })
                .abortPatience(impatient())
                .build();
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        LoopTest.awaitLatch(speaking);
        session.close();
        never.countDown();
        assertThat(run.get(30, TimeUnit.SECONDS))
                .returns(RunOutcome.End.ABORTED, RunOutcome::end)
                .returns("half a sen", RunOutcome::text);
        assertThat(open(builder(script("")).resume(session.directory())).messages())
                .last()
                .isEqualTo(new Message.Assistant("half a sen", List.of()));
    }

    @Test
    void executorThatHangsIsLeftAfterItsDeadlineAndRestIsDone() {
        CountDownLatch never = new CountDownLatch(1);
        List<String> done = new CopyOnWriteArrayList<>();
        AgentSession session = builder(script("{'text': 'Done.'}"))
                .executor(new Disposable(() -> LoopTest.awaitLatch(never)))
                .toolSource(new StandInSource("stand-in server", List.of(), "", done::add))
                .disposalPatience(Duration.ofMillis(100))
                .build();
        session.prompt("Go");
        assertThatThrownBy(session::close)
                .isInstanceOf(SessionCloseException.class)
                .hasMessageContaining(
                        "the session was closed, but disposing of the executor has not ended within 0.1 s");
        never.countDown();
        assertThat(done).last().isEqualTo("closed stand-in server");
        assertThat(events.getLast()).isEqualTo(new SessionEvent.SessionEnded());
        open(builder(script("")).resume(session.directory()));
    }

    @Test
    void closingIsIdempotentAndSafeConcurrently() throws Exception {
        CountDownLatch disposing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Disposable executor = new Disposable(() -> {
            disposing.countDown();
            LoopTest.awaitLatch(go);
        });
        AgentSession session = open(builder(script("")).executor(executor));
        List<CompletableFuture<Void>> closers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            closers.add(CompletableFuture.runAsync(session::close));
        }
        LoopTest.awaitLatch(disposing);
        assertThat(closers).noneMatch(CompletableFuture::isDone);
        go.countDown();
        CompletableFuture.allOf(closers.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
        session.close();
        assertThat(executor.disposals).hasValue(1);
        assertThat(events(SessionEvent.SessionEnded.class)).hasSize(1);
    }

    @Test
    void stepThatFailsKeepsNoneOfOthersFromBeingTaken() {
        Disposable executor = new Disposable(() -> {
            throw new IllegalStateException("the engine is gone");
        });
        AgentSession session =
                builder(script("{'text': 'Done.'}")).executor(executor).build();
        session.prompt("Go");
        assertThatThrownBy(session::close)
                .isInstanceOf(SessionCloseException.class)
                .hasMessage("the session was closed, but disposing of the executor failed: the engine is gone")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(events.getLast()).isEqualTo(new SessionEvent.SessionEnded());
        AgentSession again = open(builder(script("")).resume(session.directory()));
        assertThat(again.messages())
                .as("the store was closed, and can be used again")
                .hasSize(2);
    }

    @Test
    void useAfterClosingIsRefused() {
        AgentSession session = scripted("{'text': 'Done.'}");
        session.prompt("Go");
        session.close();
        assertThatThrownBy(() -> session.prompt("More"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> session.steer("More")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.subscribe(event -> {})).isInstanceOf(IllegalStateException.class);
        session.abort();
        assertThat(session.messages()).hasSize(2);
    }

    @Test
    void interruptedCloserStillClosesEverything() {
        Disposable executor = new Disposable(() -> {});
        AgentSession session = open(builder(script("")).executor(executor));
        Thread.currentThread().interrupt();
        session.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(executor.disposals).hasValue(1);
    }

    @Test
    void sigtermClosesSession() throws Exception {
        Process program = UnclosedSessionProgram.start(worktree);
        try (BufferedReader printed = program.inputReader(StandardCharsets.UTF_8)) {
            ProcessHandle sleeper = UnclosedSessionProgram.command(printed);
            // Process.destroy() would close the streams as well.
            boolean unused = program.toHandle().destroy();
            assertThat(printed.lines().toList())
                    .containsSubsequence("run ABORTED", "session ended")
                    .contains("closed stand-in server");
            await("the sleeper has ended").until(() -> !sleeper.isAlive());
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void stepThatHangsIsLeftAfterItsDeadline() {
        CountDownLatch never = new CountDownLatch(1);
        List<String> taken = new ArrayList<>();
        SessionThreads threads = new SessionThreads(task -> task);
        Teardown teardown = new Teardown(
                List.of(
                        new Teardown.Step("hanging", Duration.ofMillis(100), () -> LoopTest.awaitLatch(never)),
                        new Teardown.Step("the next", Duration.ofSeconds(30), () -> taken.add("next"))),
                threads.workers());
        assertThatThrownBy(teardown::run).hasMessageContaining("hanging has not ended");
        assertThat(taken).containsExactly("next");
        never.countDown();
        threads.close();
    }

    @Test
    void unusedSessionDirectoryInStateDirectoryIsRemoved() {
        SessionDirectory fresh = SessionDirectory.fresh(home.resolve("state"), List.of());
        MessageStore.open(fresh.messages()).close();
        assertThat(fresh.logs()).isDirectory();
        fresh.removeIfUnused();
        assertThat(home.resolve("state/sessions")).isEmptyDirectory();
    }

    @Test
    void unusableStateDirectoryIsReplacedByTemporaryOne() throws IOException {
        Path blocked = Files.writeString(home.resolve("state"), "in the way");
        SessionDirectory temporary = SessionDirectory.fresh(blocked, List.of());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary.path())))
                .isEqualTo("rwx------");
        MessageStore.open(temporary.messages()).close();
        temporary.removeIfUnused();
        assertThat(temporary.path()).doesNotExist();
    }
}
