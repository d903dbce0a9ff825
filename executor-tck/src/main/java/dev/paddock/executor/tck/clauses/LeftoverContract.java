package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Descendant;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C8: processes that a command leaves running are ended with it. */
public interface LeftoverContract {
    Duration SHORT_GRACE = Duration.ofMillis(300);

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void C8_leftoverIsEnded(Descendant kind, ContractContext context) throws Exception {
        context.assumeReach(kind);
        TreeLivenessProbe probe = context.probe();
        Running command = context.start(
                probe.hold() + kind.start(probe, context) + "read go; exit 5",
                context.options().killGrace(SHORT_GRACE).stdin(Stdin.PIPE));
        probe.awaitUp(2, context.patience());
        command.process().stdin().close();
        assertThat(command.status()).isEqualTo(new Exited(5));
        probe.awaitDeath(context.patience(), "what a command left running as " + kind);
        Outcome outcome = command.outcome();
        outcome.cleanup()
                .leftoversEnded()
                .ifPresent(ended -> assertThat(ended)
                        .as("the number of leftovers that were ended")
                        .isPositive());
    }

    @Test
    default void C8_bothStreamsReachTheirEnd(ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        String holder = "( trap '' TERM HUP; " + probe.report() + "read x < " + context.never() + " ) &\n";
        Running command = context.start(
                probe.hold() + holder + "read go; echo out; echo err >&2",
                context.options().killGrace(SHORT_GRACE).stdin(Stdin.PIPE));
        probe.awaitUp(2, context.patience());
        command.process().stdin().close();
        Outcome outcome = command.outcome();
        assertThat(outcome.out()).isEqualTo("out\n");
        assertThat(outcome.err()).isEqualTo("err\n");
    }

    @Test
    default void C8_leftoverGetsTermFirst(ContractContext context) throws Exception {
        assumeFalse(context.subject().endsAtOnce(), "the sandbox ends at once with its main process");
        TreeLivenessProbe probe = context.probe();
        String polite = "( trap 'echo bye > farewell; exit' TERM; { " + probe.report() + "read x < " + context.never()
                + "; } & wait ) &\n";
        Running command = context.start(
                probe.hold() + polite + "read go",
                context.options().killGrace(Duration.ofSeconds(20)).stdin(Stdin.PIPE));
        probe.awaitUp(2, context.patience());
        command.process().stdin().close();
        CleanupReport unused = command.cleanup();
        probe.awaitDeath(context.patience(), "a leftover that heeds TERM");
        assertThat(context.exists("farewell"))
                .as("the leftover's action on SIGTERM")
                .isTrue();
    }

    @Test
    default void C8_settlesAfterExit(ContractContext context) throws Exception {
        Running command = context.start("exit 0");
        CleanupReport cleanup = command.cleanup();
        assertThat(command.hasExited()).as("exited when settled").isTrue();
        cleanup.leftoversEnded()
                .ifPresent(ended -> assertThat(ended)
                        .as("leftovers of a command that has none")
                        .isZero());
        assertThat(cleanup.notices()).isEmpty();
    }

    @Test
    default void C8_whatLeftoverStillWritesIsRead(ContractContext context) throws Exception {
        // The command waits for its child, so that there is nothing left to end.
        Outcome outcome = context.run("( ( echo inner ) & wait; echo outer ) & wait; echo main");
        assertThat(outcome.succeeded()).isEqualTo("inner\nouter\nmain\n");
    }
}
