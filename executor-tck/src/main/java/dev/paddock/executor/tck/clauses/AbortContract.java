package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ExitStatus.Signaled;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.CountingSignal;
import dev.paddock.executor.tck.context.Descendant;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C10: abort. */
public interface AbortContract {

    @Test
    default void C10_abortedBeforeSpawnRunsNothing(ContractContext trial) {
        AbortController controller = new AbortController();
        controller.abort("no longer wanted");
        assertThatThrownBy(() -> trial.spawn(": > ran", trial.options().signal(controller.signal())))
                .isInstanceOf(AbortedException.class)
                .hasMessageContaining("no longer wanted");
        assertThat(trial.hostPath("ran"))
                .as("what a command that was refused would have made")
                .doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    default void C10_abortEndsTheTree(Descendant kind, ContractContext trial) throws Exception {
        AbortController controller = new AbortController();
        TreeLivenessProbe witness = trial.witness();
        Running command = family(kind, witness, trial, controller.signal());
        controller.abort();
        witness.awaitDeath(trial.patience(), "a tree with a " + kind + " after an abort");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.TERM));
    }

    @ParameterizedTest
    @EnumSource
    default void C10_aTimeoutEndsTheTree(Descendant kind, ContractContext trial) throws Exception {
        AbortController until = new AbortController();
        TreeLivenessProbe witness = trial.witness();
        // The timeout starts once every process is up, which is the state that a longer timeout
        // would find.
        Running command = family(kind, witness, trial, until.signal());
        AbortSignal.timeout(Duration.ofMillis(50)).onAbort(until::abort);
        witness.awaitDeath(trial.patience(), "a tree with a " + kind + " after a timeout");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.TERM));
    }

    private static Running family(Descendant kind, TreeLivenessProbe witness, ContractContext trial, AbortSignal signal)
            throws Exception {
        trial.assumeReach(kind);
        Running command = trial.start(
                witness.hold() + kind.start(witness, trial) + "read x < " + trial.never(),
                trial.options().signal(signal).killGrace(LeftoverContract.SHORT_GRACE));
        witness.awaitUp(2, trial.patience());
        return command;
    }

    @Test
    default void C10_theStatusIsWhatTheProcessMadeOfIt(ContractContext trial) throws Exception {
        AbortController controller = new AbortController();
        Running command = trial.start(
                "trap 'echo cleaned up; exit 5' TERM; { echo up; read x < " + trial.never() + "; } & wait; wait",
                trial.options().signal(controller.signal()).killGrace(Duration.ofSeconds(20)));
        command.awaitText("up\n");
        controller.abort();
        Outcome outcome = command.outcome();
        assertThat(outcome.status()).isEqualTo(new Exited(5));
        assertThat(outcome.out()).isEqualTo("up\ncleaned up\n");
    }

    @Test
    default void C10_killComesAfterTheGraceAndNotBefore(ContractContext trial) throws Exception {
        AbortController controller = new AbortController();
        Duration grace = Duration.ofMillis(1200);
        TreeLivenessProbe witness = trial.witness();
        Running command = trial.start(
                "trap 'echo heard' TERM; " + witness.hold() + "while :; do read x < " + trial.never() + "; done",
                trial.options().signal(controller.signal()).killGrace(grace));
        witness.awaitUp(1, trial.patience());
        long aborted = System.nanoTime();
        controller.abort();
        witness.awaitDeath(trial.patience(), "a command that ignores TERM, after the grace");
        assertThat(witness.deathAfter(aborted))
                .as("from the abort to the death")
                .isGreaterThanOrEqualTo(grace);
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.KILL));
    }

    @Test
    default void C10_withoutGraceKillComesAtOnce(ContractContext trial) throws Exception {
        AbortController controller = new AbortController();
        TreeLivenessProbe witness = trial.witness();
        Running command = trial.start(
                "trap '' TERM; " + witness.hold() + "read x < " + trial.never(),
                trial.options().signal(controller.signal()).killGrace(Duration.ZERO));
        witness.awaitUp(1, trial.patience());
        controller.abort();
        witness.awaitDeath(trial.patience(), "a command that ignores TERM, with a grace of zero");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.KILL));
    }

    @Test
    default void C10_aStoppedTreeIsEndedToo(ContractContext trial) throws Exception {
        AbortController controller = new AbortController();
        TreeLivenessProbe witness = trial.witness();
        Running command = family(Descendant.BACKGROUND, witness, trial, controller.signal());
        assertThat(command.process().kill(Signal.STOP)).isTrue();
        controller.abort();
        witness.awaitDeath(trial.patience(), "a stopped tree after an abort and the grace");
    }

    @Test
    default void C10_aSecondAbortChangesNothing(ContractContext trial) throws Exception {
        AbortController first = new AbortController();
        AbortController second = new AbortController();
        Running command = trial.start(
                "trap 'echo term' TERM; { echo up; read x < " + trial.never() + "; } & wait; echo done; exit 3",
                trial.options()
                        .signal(AbortSignal.any(first.signal(), second.signal()))
                        .killGrace(Duration.ofSeconds(20)));
        command.awaitText("up\n");
        first.abort();
        first.abort();
        second.abort();
        Outcome outcome = command.outcome();
        assertThat(outcome.out()).as("TERM arrived once").isEqualTo("up\nterm\ndone\n");
        assertThat(outcome.status()).isEqualTo(new Exited(3));
    }

    @Test
    default void C10_abortInTheInstantOfTheExit(ContractContext trial) throws Exception {
        for (int i = 0; i < trial.times(60); i++) {
            AbortController controller = new AbortController();
            CountingSignal signal = new CountingSignal(controller.signal());
            Running command =
                    trial.start("read go", trial.options().signal(signal).stdin(Stdin.PIPE));
            CompletableFuture<Void> aborting = CompletableFuture.runAsync(controller::abort);
            command.process().stdin().close();
            ExitStatus status = command.outcome().status();
            aborting.get(trial.patience().toSeconds(), TimeUnit.SECONDS);
            // "read" fails at the end of its input: 1 is the command's own exit code.
            assertThat(status).isIn(new Exited(1), new Signaled(Signal.TERM), new Signaled(Signal.KILL));
            awaitNoListener(signal, trial);
        }
    }

    @Test
    default void C10_abortDuringSpawn(ContractContext trial) throws Exception {
        TreeLivenessProbe witness = trial.witness();
        Running keeper = trial.start(witness.hold() + "read go", trial.options().stdin(Stdin.PIPE));
        witness.awaitUp(1, trial.patience());
        for (int i = 0; i < trial.times(40); i++) {
            AbortController controller = new AbortController();
            CountingSignal signal = new CountingSignal(controller.signal());
            long delay = i * 2_000_000L / trial.times(40);
            CompletableFuture<Void> aborting = CompletableFuture.runAsync(() -> {
                LockSupport.parkNanos(delay);
                controller.abort();
            });
            Optional<ProcessLike> process = spawnUnlessAborted(witness, trial, signal);
            aborting.get(trial.patience().toSeconds(), TimeUnit.SECONDS);
            if (process.isPresent()) {
                ExitStatus status =
                        new Running(process.get(), trial.patience()).outcome().status();
                assertThat(status).as("status of run %d", i).isInstanceOf(Signaled.class);
            }
            awaitNoListener(signal, trial);
        }
        keeper.process().stdin().close();
        witness.awaitDeath(trial.patience(), "a command that was aborted while it was spawned");
    }

    private static Optional<ProcessLike> spawnUnlessAborted(
            TreeLivenessProbe witness, ContractContext trial, AbortSignal signal) throws Exception {
        SpawnOptions.Builder options = trial.options().signal(signal).killGrace(LeftoverContract.SHORT_GRACE);
        try {
            return Optional.of(trial.spawn(witness.hold() + "read x < " + trial.never(), options));
        } catch (AbortedException expected) {
            assertThat(signal.aborted()).as("aborted when spawn said so").isTrue();
            return Optional.empty();
        }
    }

    @Test
    default void C10_leavesNoListenerBehind(ContractContext trial) throws Exception {
        CountingSignal signal = new CountingSignal(new AbortController().signal());
        for (int i = 0; i < 10; i++) {
            trial.run("exit 0", trial.options().signal(signal));
        }
        Running killed =
                trial.start("read x < " + trial.never(), trial.options().signal(signal));
        killed.process().kill(Signal.KILL);
        killed.outcome();
        awaitNoListener(signal, trial);
    }

    @Test
    default void C10_leavesNoListenerBehindWhenNothingRan(ContractContext trial) {
        CountingSignal signal = new CountingSignal(new AbortController().signal());
        SpawnOptions nowhere = SpawnOptions.builder(trial.commandPath("missing"))
                .signal(signal)
                .build();
        assertThatThrownBy(() -> trial.spawn(trial.executor(), "echo ran", nowhere))
                .isInstanceOf(SpawnException.class);
        awaitNoListener(signal, trial);
    }

    private static void awaitNoListener(CountingSignal signal, ContractContext trial) {
        Awaitility.await("every listener at the abort signal is gone after the command")
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(trial.patience())
                .untilAsserted(() -> assertThat(signal.listeners())
                        .as("listeners left at the abort signal")
                        .isZero());
    }

    @Test
    default void C10_abortAfterTheExitReachesNobody(ContractContext trial) throws Exception {
        AbortController controller = new AbortController();
        Running ended = trial.start("exit 2", trial.options().signal(controller.signal()));
        ended.outcome();
        Running bystander =
                trial.start("echo up; read go; echo unharmed", trial.options().stdin(Stdin.PIPE));
        bystander.awaitText("up\n");
        controller.abort();
        assertThat(bystander.goOnUnharmed().succeeded()).isEqualTo("up\nunharmed\n");
        assertThat(ended.status()).isEqualTo(new Exited(2));
    }
}
