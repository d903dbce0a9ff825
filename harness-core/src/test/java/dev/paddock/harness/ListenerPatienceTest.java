package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests how long a session waits for its listeners. */
class ListenerPatienceTest extends SessionTest {
    private final CountDownLatch reads = new CountDownLatch(1);
    private final CountDownLatch reported = new CountDownLatch(1);

    /** Returns a session with a listener that blocks in its first event until it is released. */
    private AgentSession session(Duration patience) {
        return open(AgentSession.builder()
                .model(script("{'text': 'Done.'}"))
                .cwd(worktree)
                .executor(host)
                .sessionDirectory(home.resolve("session"))
                .listenerPatience(patience)
                .abortPatience(impatient())
                .listener(event -> {
                    reported.countDown();
                    LoopTest.awaitLatch(reads);
                    events.add(event);
                }));
    }

    private CompletableFuture<RunOutcome> prompt(AgentSession session) {
        LoopTest.awaitLatch(reported);
        CompletableFuture<RunOutcome> prompt = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        await("the model's answer is in the session's messages")
                .until(() -> session.messages().size() == 2);
        return prompt;
    }

    @Test
    void slowListenerIsWaitedFor() throws Exception {
        AgentSession session = session(Duration.ofDays(1));
        CompletableFuture<RunOutcome> prompt = prompt(session);
        // Ten times the wait of an aborted session.
        assertThatThrownBy(() -> prompt.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        reads.countDown();
        assertThat(prompt.get(30, TimeUnit.SECONDS).completed()).isTrue();
        assertThat(events).last().isInstanceOf(SessionEvent.RunEnded.class);
        session.close();
        assertThat(events).last().isInstanceOf(SessionEvent.SessionEnded.class);
    }

    @Test
    void abortEndsWaitForSlowListener() throws Exception {
        AgentSession session = session(Duration.ofDays(1));
        CompletableFuture<RunOutcome> prompt = prompt(session);
        session.abort();
        assertThat(prompt.get(30, TimeUnit.SECONDS).completed()).isTrue();
        CompletableFuture.runAsync(session::close).get(30, TimeUnit.SECONDS);
        assertThat(events).isEmpty();
        reads.countDown();
    }

    @Test
    void patienceOfZeroWaitsForNoListener() throws Exception {
        AgentSession session = session(Duration.ZERO);
        assertThat(prompt(session).get(30, TimeUnit.SECONDS).completed()).isTrue();
        assertThat(events).isEmpty();
        reads.countDown();
    }

    @Test
    void patienceOutOfRangeIsRefused() {
        for (Duration wrong :
                new Duration[] {Duration.ofNanos(-1), Duration.ofDays(7).plusNanos(1)}) {
            assertThatThrownBy(() -> AgentSession.builder().listenerPatience(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("listenerPatience")
                    .hasMessageContaining(wrong.toString());
        }
    }
}
