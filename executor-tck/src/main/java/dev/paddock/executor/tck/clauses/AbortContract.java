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
import dev.paddock.executor.ShellQuoting;
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
    default void C10_abortedBeforeSpawnRunsNothing(ContractContext context) {
        AbortController controller = new AbortController();
        controller.abort("no longer wanted");
        assertThatThrownBy(() -> context.spawn(": > ran", context.options().signal(controller.signal())))
                .isInstanceOf(AbortedException.class)
                .hasMessageContaining("no longer wanted");
        assertThat(context.exists("ran"))
                .as("whether 'ran' exists, which a command that was refused would have made")
                .isFalse();
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void C10_abortEndsTree(Descendant kind, ContractContext context) throws Exception {
        AbortController controller = new AbortController();
        TreeLivenessProbe probe = context.probe();
        Running command = family(kind, probe, context, controller.signal());
        controller.abort();
        probe.awaitDeath(context.patience(), "a tree with a " + kind + " after an abort");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.TERM));
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void C10_timeoutEndsTree(Descendant kind, ContractContext context) throws Exception {
        AbortController until = new AbortController();
        TreeLivenessProbe probe = context.probe();
        // The timeout starts once every process is up, which is the state that a longer timeout
        // would find.
        Running command = family(kind, probe, context, until.signal());
        AbortSignal.timeout(Duration.ofMillis(50)).onAbort(until::abort);
        probe.awaitDeath(context.patience(), "a tree with a " + kind + " after a timeout");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.TERM));
    }

    private static Running family(Descendant kind, TreeLivenessProbe probe, ContractContext context, AbortSignal signal)
            throws Exception {
        context.assumeReach(kind);
        Running command = context.start(
                probe.hold() + kind.start(probe, context) + "read x < " + context.never(),
                context.options().signal(signal).killGrace(LeftoverContract.SHORT_GRACE));
        probe.awaitUp(2, context.patience());
        return command;
    }

    @Test
    default void C10_statusIsWhatProcessMadeOfIt(ContractContext context) throws Exception {
        AbortController controller = new AbortController();
        Running command = context.start(
                "trap 'echo cleaned up; exit 5' TERM; { echo up; read x < " + context.never() + "; } & wait; wait",
                context.options().signal(controller.signal()).killGrace(Duration.ofSeconds(20)));
        command.awaitText("up\n");
        controller.abort();
        Outcome outcome = command.outcome();
        assertThat(outcome.status()).isEqualTo(new Exited(5));
        assertThat(outcome.out()).isEqualTo("up\ncleaned up\n");
    }

    /**
     * The shell dies of SIGTERM and its program cleans up: the grace applies to the whole tree, and so does
     * the signal, which is sent once. A second one would end the program's "sleep".
     */
    @Test
    default void C10_programHasGraceAlthoughItsShellHasEnded(ContractContext context) throws Exception {
        context.assumeTools("sleep");
        AbortController controller = new AbortController();
        String program = "trap 'sleep 1 && : > cleaned; exit' TERM; echo up; while :; do sleep 1; done";
        Running command = context.start(
                "sh -c " + ShellQuoting.posix(program) + "; true",
                context.options().signal(controller.signal()).killGrace(Duration.ofSeconds(20)));
        command.awaitText("up\n");
        controller.abort();
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.TERM));
        assertThat(context.exists("cleaned"))
                .as("whether 'cleaned' exists, which the program makes after it has cleaned up")
                .isTrue();
    }

    @Test
    default void C10_killComesAfterGraceAndNotBefore(ContractContext context) throws Exception {
        AbortController controller = new AbortController();
        Duration grace = Duration.ofMillis(1200);
        TreeLivenessProbe probe = context.probe();
        Running command = context.start(
                "trap 'echo heard' TERM; " + probe.hold() + "while :; do read x < " + context.never() + "; done",
                context.options().signal(controller.signal()).killGrace(grace));
        probe.awaitUp(1, context.patience());
        long aborted = System.nanoTime();
        controller.abort();
        probe.awaitDeath(context.patience(), "a command that ignores TERM, after the grace");
        assertThat(probe.deathAfter(aborted)).as("from the abort to the death").isGreaterThanOrEqualTo(grace);
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.KILL));
    }

    @Test
    default void C10_withoutGraceKillComesAtOnce(ContractContext context) throws Exception {
        AbortController controller = new AbortController();
        TreeLivenessProbe probe = context.probe();
        Running command = context.start(
                "trap '' TERM; " + probe.hold() + "read x < " + context.never(),
                context.options().signal(controller.signal()).killGrace(Duration.ZERO));
        probe.awaitUp(1, context.patience());
        controller.abort();
        probe.awaitDeath(context.patience(), "a command that ignores TERM, with a grace of zero");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.KILL));
    }

    @Test
    default void C10_stoppedTreeIsEndedToo(ContractContext context) throws Exception {
        AbortController controller = new AbortController();
        TreeLivenessProbe probe = context.probe();
        Running command = family(Descendant.BACKGROUND, probe, context, controller.signal());
        assertThat(command.process().kill(Signal.STOP)).isTrue();
        controller.abort();
        probe.awaitDeath(context.patience(), "a stopped tree after an abort and the grace");
    }

    @Test
    default void C10_secondAbortChangesNothing(ContractContext context) throws Exception {
        AbortController first = new AbortController();
        AbortController second = new AbortController();
        Running command = context.start(
                "trap 'echo term' TERM; { echo up; read x < " + context.never() + "; } & wait; echo done; exit 3",
                context.options()
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
    default void C10_abortInInstantOfExit(ContractContext context) throws Exception {
        for (int i = 0; i < context.times(20); i++) {
            AbortController controller = new AbortController();
            CountingSignal signal = new CountingSignal(controller.signal());
            Running command =
                    context.start("read go", context.options().signal(signal).stdin(Stdin.PIPE));
            CompletableFuture<Void> aborting = CompletableFuture.runAsync(controller::abort);
            command.process().stdin().close();
            ExitStatus status = command.outcome().status();
            aborting.get(context.patience().toSeconds(), TimeUnit.SECONDS);
            // "read" fails at the end of its input: 1 is the command's own exit code.
            assertThat(status).isIn(new Exited(1), new Signaled(Signal.TERM), new Signaled(Signal.KILL));
            awaitNoListener(signal, context);
        }
    }

    @Test
    default void C10_abortDuringSpawn(ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        Running keeper =
                context.start(probe.hold() + "read go", context.options().stdin(Stdin.PIPE));
        probe.awaitUp(1, context.patience());
        int times = context.times(20);
        for (int i = 0; i < times; i++) {
            AbortController controller = new AbortController();
            CountingSignal signal = new CountingSignal(controller.signal());
            long delay = i * 2_000_000L / times;
            CompletableFuture<Void> aborting = CompletableFuture.runAsync(() -> {
                LockSupport.parkNanos(delay);
                controller.abort();
            });
            Optional<ProcessLike> process = spawnUnlessAborted(probe, context, signal);
            aborting.get(context.patience().toSeconds(), TimeUnit.SECONDS);
            if (process.isPresent()) {
                ExitStatus status =
                        new Running(process.get(), context.patience()).outcome().status();
                assertThat(status).as("status of run %d", i).isInstanceOf(Signaled.class);
            }
            awaitNoListener(signal, context);
        }
        keeper.process().stdin().close();
        probe.awaitDeath(context.patience(), "a command that was aborted while it was spawned");
    }

    private static Optional<ProcessLike> spawnUnlessAborted(
            TreeLivenessProbe probe, ContractContext context, AbortSignal signal) throws Exception {
        SpawnOptions.Builder options = context.options().signal(signal).killGrace(LeftoverContract.SHORT_GRACE);
        try {
            return Optional.of(context.spawn(probe.hold() + "read x < " + context.never(), options));
        } catch (AbortedException expected) {
            assertThat(signal.isAborted()).as("aborted when spawn said so").isTrue();
            return Optional.empty();
        }
    }

    @Test
    default void C10_leavesNoListenerBehind(ContractContext context) throws Exception {
        CountingSignal signal = new CountingSignal(new AbortController().signal());
        for (int i = 0; i < 10; i++) {
            context.run("exit 0", context.options().signal(signal));
        }
        Running killed =
                context.start("read x < " + context.never(), context.options().signal(signal));
        killed.process().kill(Signal.KILL);
        killed.outcome();
        awaitNoListener(signal, context);
    }

    @Test
    default void C10_leavesNoListenerBehindWhenNothingRan(ContractContext context) {
        CountingSignal signal = new CountingSignal(new AbortController().signal());
        SpawnOptions nowhere = SpawnOptions.builder(context.commandPath("missing"))
                .signal(signal)
                .build();
        assertThatThrownBy(() -> context.spawn(context.executor(), "echo ran", nowhere))
                .isInstanceOf(SpawnException.class);
        awaitNoListener(signal, context);
    }

    private static void awaitNoListener(CountingSignal signal, ContractContext context) {
        Awaitility.await("every listener at the abort signal is gone after the command")
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(context.patience())
                .untilAsserted(() -> assertThat(signal.listeners())
                        .as("listeners left at the abort signal")
                        .isZero());
    }

    @Test
    default void C10_abortAfterExitReachesNobody(ContractContext context) throws Exception {
        AbortController controller = new AbortController();
        Running ended = context.start("exit 2", context.options().signal(controller.signal()));
        ended.outcome();
        Running bystander = context.start(
                "echo up; read go; echo unharmed", context.options().stdin(Stdin.PIPE));
        bystander.awaitText("up\n");
        controller.abort();
        assertThat(bystander.goOnUnharmed().succeeded()).isEqualTo("up\nunharmed\n");
        assertThat(ended.status()).isEqualTo(new Exited(2));
    }
}
