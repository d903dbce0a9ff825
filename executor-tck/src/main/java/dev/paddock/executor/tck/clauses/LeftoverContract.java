package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

    @ParameterizedTest
    @EnumSource
    default void C8_aLeftoverIsEnded(Descendant kind, ContractContext trial) throws Exception {
        trial.assumeReach(kind);
        TreeLivenessProbe witness = trial.witness();
        Running command = trial.start(
                witness.hold() + kind.start(witness, trial) + "read go; exit 5",
                trial.options().killGrace(SHORT_GRACE).stdin(Stdin.PIPE));
        witness.awaitUp(2, trial.patience());
        command.process().stdin().close();
        assertThat(command.status()).isEqualTo(new Exited(5));
        witness.awaitDeath(trial.patience(), "what a command left running as " + kind);
        Outcome outcome = command.outcome();
        outcome.aftermath()
                .leftoversEnded()
                .ifPresent(ended -> assertThat(ended)
                        .as("the number of leftovers that were ended")
                        .isPositive());
    }

    @Test
    default void C8_bothStreamsReachTheirEnd(ContractContext trial) throws Exception {
        TreeLivenessProbe witness = trial.witness();
        String holder = "( trap '' TERM HUP; " + witness.report() + "read x < " + trial.never() + " ) &\n";
        Running command = trial.start(
                witness.hold() + holder + "read go; echo out; echo err >&2",
                trial.options().killGrace(SHORT_GRACE).stdin(Stdin.PIPE));
        witness.awaitUp(2, trial.patience());
        command.process().stdin().close();
        Outcome outcome = command.outcome();
        assertThat(outcome.out()).isEqualTo("out\n");
        assertThat(outcome.err()).isEqualTo("err\n");
    }

    @Test
    default void C8_aLeftoverGetsTermFirst(ContractContext trial) throws Exception {
        TreeLivenessProbe witness = trial.witness();
        String polite = "( trap 'echo bye > farewell; exit' TERM; { " + witness.report() + "read x < " + trial.never()
                + "; } & wait ) &\n";
        Running command = trial.start(
                witness.hold() + polite + "read go",
                trial.options().killGrace(Duration.ofSeconds(20)).stdin(Stdin.PIPE));
        witness.awaitUp(2, trial.patience());
        command.process().stdin().close();
        CleanupReport aftermath = command.aftermath();
        witness.awaitDeath(trial.patience(), "a leftover that heeds TERM");
        assumeTrue(aftermath.leftoversEnded().isPresent(), "the sandbox ends at once with its main process");
        assertThat(trial.hostPath("farewell"))
                .as("what the leftover does when it is told to end")
                .exists();
    }

    @Test
    default void C8_settlesAfterTheExit(ContractContext trial) throws Exception {
        Running command = trial.start("exit 0");
        CleanupReport aftermath = command.aftermath();
        assertThat(command.hasExited()).as("exited when settled").isTrue();
        aftermath
                .leftoversEnded()
                .ifPresent(ended -> assertThat(ended)
                        .as("leftovers of a command that has none")
                        .isZero());
        assertThat(aftermath.notices()).isEmpty();
    }

    @Test
    default void C8_whatALeftoverStillWritesIsRead(ContractContext trial) throws Exception {
        // The command waits for its child, so that there is nothing left to end.
        Outcome outcome = trial.run("( ( echo inner ) & wait; echo outer ) & wait; echo main");
        assertThat(outcome.succeeded()).isEqualTo("inner\nouter\nmain\n");
    }
}
