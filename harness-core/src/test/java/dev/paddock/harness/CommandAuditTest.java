package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.CommandAudit.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that each command yields exactly one audit record, however it ends. */
class CommandAuditTest extends SessionTest {
    private static final String ONE = "{'calls': [{'tool': 'bash', 'arguments': %s}]}, {'text': 'Done.'}";

    private List<CommandAudit> audits() {
        return events(SessionEvent.CommandEnded.class).stream()
                .map(SessionEvent.CommandEnded::audit)
                .toList();
    }

    private CommandAudit auditOf(CommandExecutor executor, String arguments) {
        try (AgentSession session =
                builder(script(ONE.formatted(arguments))).executor(executor).build()) {
            assertThat(session.prompt("Go").failure()).isEmpty();
        }
        assertThat(audits()).as("one for each command, and none for the probe").hasSize(1);
        return audits().getFirst();
    }

    @Test
    void audit_aCommandThatSucceeds() {
        CommandAudit audit = auditOf(host, "{'command': 'printf 12345'}");
        assertThat(audit.executor()).isEqualTo("host");
        assertThat(audit.program()).isEqualTo("printf");
        assertThat(audit.background()).isFalse();
        assertThat(audit.outcome()).isEqualTo(Outcome.OK);
        assertThat(audit.status()).contains(new ExitStatus.Exited(0));
        assertThat(audit.took()).isPositive();
        assertThat(audit.outputBytes()).isEqualTo(5);
        assertThat(audit.callId())
                .isEqualTo(
                        events(SessionEvent.ToolEnded.class).getFirst().call().id());
        assertThat(audit.startedAt().plus(audit.took())).isBeforeOrEqualTo(Instant.now());
    }

    @Test
    void audit_aCommandThatFails() {
        CommandAudit audit = auditOf(host, "{'command': 'exit 3'}");
        assertThat(audit.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(audit.status()).contains(new ExitStatus.Exited(3));
    }

    @Test
    void audit_aCommandThatIsKilled() {
        CommandAudit audit = auditOf(host, "{'command': 'kill -KILL $$'}");
        assertThat(audit.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(audit.status()).contains(new ExitStatus.Signaled(Signal.KILL));
    }

    @Test
    void audit_aCommandThatTimesOut() {
        CommandAudit audit = auditOf(host, "{'command': 'exec sleep 300', 'timeout': 0.1}");
        assertThat(audit.outcome()).isEqualTo(Outcome.TIMED_OUT);
        assertThat(audit.status()).isEmpty();
        assertThat(audit.took()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void audit_aCommandThatIsAborted() throws Exception {
        AgentSession session = scripted(ONE.formatted("{'command': 'echo begun; exec sleep 300'}"));
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        await("the command has written output")
                .atMost(Duration.ofSeconds(30))
                .until(() -> !events(SessionEvent.ToolUpdated.class).isEmpty());
        session.abort();
        run.get(30, TimeUnit.SECONDS);
        assertThat(audits()).singleElement().returns(Outcome.ABORTED, CommandAudit::outcome);
    }

    @Test
    void audit_aCommandThatIsRefused() {
        CommandExecutor untouched = (command, options) -> {
            throw new AssertionError("the executor was touched");
        };
        CommandAudit audit = auditOf(untouched, "{'command': 'ls', 'timeout': -1}");
        assertThat(audit.outcome()).isEqualTo(Outcome.DENIED);
        assertThat(audit.took()).isZero();
    }

    @Test
    void audit_aBackgroundCommandThatIsRefused() {
        CommandAudit audit = auditOf(host, "{'command': 'ls', 'run_in_background': true, 'timeout': -1}");
        assertThat(audit.outcome()).isEqualTo(Outcome.DENIED);
        assertThat(audit.background()).isTrue();
    }

    /** The probe's command is the first, and succeeds; later ones fail. */
    private CommandExecutor failingWith(RuntimeException fault) {
        return (command, options) -> {
            if (command.startsWith("IFS=")) {
                return host.spawn(command, options);
            }
            throw fault;
        };
    }

    @Test
    void audit_aCommandThatCannotBeStarted() {
        CommandAudit audit = auditOf(failingWith(new SpawnException("no shell")), "{'command': 'ls'}");
        assertThat(audit.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(audit.status()).isEmpty();
        assertThat(audit.executor()).isEqualTo("custom");
    }

    @Test
    void audit_aCommandWhoseSandboxIsLost() {
        assertThat(auditOf(failingWith(new SandboxLostException("test", "gone")), "{'command': 'ls'}")
                        .outcome())
                .isEqualTo(Outcome.LOST);
    }

    @Test
    void audit_anExecutorThatThrowsIsRecordedAsFailed() {
        assertThat(auditOf(failingWith(new IllegalStateException("a bug")), "{'command': 'ls'}")
                        .outcome())
                .isEqualTo(Outcome.FAILED);
    }

    @Test
    void audit_anUnobservedCommandIsLostWhenSessionEnds() throws Exception {
        CountDownLatch handedOver = new CountDownLatch(1);
        CompletableFuture<ProcessLike> never = new CompletableFuture<>();
        CommandExecutor deaf = (command, options) -> {
            if (command.startsWith("IFS=")) {
                return host.spawn(command, options);
            }
            handedOver.countDown();
            // Ignores interrupts: simulates a launch that does not return.
            return never.join();
        };
        AgentSession session = builder(script(ONE.formatted("{'command': 'ls'}")))
                .killGrace(Duration.ZERO)
                .abortPatience(impatient())
                .executor(deaf)
                .build();
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        LoopTest.awaitLatch(handedOver);
        session.close();
        run.get(30, TimeUnit.SECONDS);
        assertThat(audits()).singleElement().returns(Outcome.LOST, CommandAudit::outcome);
        assertThat(events.getLast()).isEqualTo(new SessionEvent.SessionEnded());
        never.completeExceptionally(new SpawnException("over"));
    }

    @Test
    void audit_containsNoArgumentVariableInputOrOutput() throws IOException {
        Files.writeString(worktree.resolve("file"), "s3cret");
        CommandAudit audit = auditOf(
                host,
                "{'command': '# s3cret\\nTOKEN=s3cret env NAME=s3cret sh -c \\\"cat file; cat\\\" s3cret <<END\\ns3cret\\nEND'}");
        assertThat(audit.outputBytes()).isEqualTo(13);
        assertThat(audit.program()).isEqualTo("env");
        assertThat(audit.toString()).doesNotContain("s3cret");
    }
}
