package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ExitStatus.Signaled;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Descendant;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Processes;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** C9: kill. */
public interface KillContract {
    Duration KILL_BOUND = Duration.ofSeconds(2);

    /** Starts a command that starts a descendant and waits with it. */
    static Running family(Descendant kind, TreeLivenessProbe probe, ContractContext context) throws Exception {
        context.assumeReach(kind);
        Running command = context.start(
                probe.hold() + kind.start(probe, context) + "read x < " + context.never(),
                context.options().killGrace(LeftoverContract.SHORT_GRACE));
        probe.awaitUp(2, context.patience());
        return command;
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void C9_killEndsTree(Descendant kind, ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        Running command = family(kind, probe, context);
        assertThat(command.process().kill(Signal.KILL))
                .as("something was there to signal")
                .isTrue();
        probe.awaitDeath(context.patience(), "a tree with a " + kind + " after kill(SIGKILL)");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.KILL));
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void C9_termReachesTree(Descendant kind, ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        Running command = family(kind, probe, context);
        assertThat(command.process().kill(Signal.TERM))
                .as("something was there to signal")
                .isTrue();
        // A descendant that ignores TERM is then a leftover of its main process, and ended as such
        // (C8).
        probe.awaitDeath(context.patience(), "a tree with a " + kind + " after kill(SIGTERM)");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.TERM));
    }

    /**
     * A main process that observes the stop or exit of one of its processes could react before it
     * is killed itself: exit with its own status, or start another process.
     */
    @Test
    default void C9_mainProcessObservesNothing(ContractContext context) throws Exception {
        int processes = 30;
        TreeLivenessProbe probe = context.probe();
        String waiting = "{ " + probe.report() + "read x < " + context.never() + "; } & ";
        Running command =
                context.start("trap 'exit 3' CHLD; " + probe.hold() + waiting.repeat(processes) + "wait; exit 4");
        probe.awaitUp(1 + processes, context.patience());
        assertThat(command.process().kill(Signal.KILL)).isTrue();
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.KILL));
    }

    /**
     * A daemon that has closed all inherited descriptors: only its environment and its session
     * identify its command.
     */
    @Test
    default void C9_daemonThatClosedItsDescriptors(ContractContext context) throws Exception {
        context.assumeTools("setsid");
        assumeTrue(Processes.canLook(), "there is no /proc to look at");
        String daemon = "exec 0</dev/null 1>/dev/null 2>&1 9>&-; : > daemon-up; read x < " + context.never() + "; exit";
        Running command = context.start(
                "( setsid /bin/sh -c " + ShellQuoting.posix(daemon) + " & ); read x < " + context.never());
        Awaitility.await("the daemon of the command has started")
                .atMost(context.patience())
                .until(() -> context.exists("daemon-up"));
        assumeTrue(!Processes.tagged(context.tag()).isEmpty(), "the host does not see the processes of commands");
        assertThat(command.process().kill(Signal.KILL)).isTrue();
        Awaitility.await("no process of the command is left after kill(SIGKILL)")
                .atMost(context.patience())
                .until(() -> Processes.tagged(context.tag()).isEmpty());
        command.outcome();
    }

    /**
     * The child prints "up", not the shell: a shell that has just forked still has its parent's
     * trap, and would lose a signal that arrives then.
     */
    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(strings = {"HUP", "INT", "QUIT", "USR1", "USR2", "TERM"})
    default void C9_signalsAreDelivered(String name, ContractContext context) throws Exception {
        Signal signal = IntStream.rangeClosed(1, 31)
                .mapToObj(Signal::new)
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
        Running command = context.start("trap 'echo got " + name + "; exit 7' " + name + "; { echo up; read x < "
                + context.never() + "; } & wait; wait");
        command.awaitText("up\n");
        assertThat(command.process().kill(signal)).isTrue();
        Outcome outcome = command.outcome();
        assertThat(outcome.out()).isEqualTo("up\ngot " + name + "\n");
        assertThat(outcome.status()).isEqualTo(new Exited(7));
    }

    /**
     * A process that the handler starts did not exist when the signal was sent. In its own session
     * it is not in a signalled process group.
     */
    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(strings = {"", "setsid "})
    default void C9_handlersProcessesAreNotSignalled(String prefix, ContractContext context) throws Exception {
        context.assumeTools(prefix.isEmpty() ? "sleep" : "setsid");
        Running command = context.start("trap 'trap - TERM; " + prefix
                + "sleep 1 && echo cleaned up; exit 7' TERM; echo up; while :; do sleep 1; done");
        command.awaitText("up\n");
        assertThat(command.process().kill(Signal.TERM)).isTrue();
        Outcome outcome = command.outcome();
        assertThat(outcome.out()).isEqualTo("up\ncleaned up\n");
        assertThat(outcome.status()).isEqualTo(new Exited(7));
    }

    @Test
    default void C9_stopAndContinue(ContractContext context) throws Exception {
        Running command = context.start(
                "echo up; read go; echo went on", context.options().stdin(Stdin.PIPE));
        command.awaitText("up\n");
        assertThat(command.process().kill(Signal.STOP)).isTrue();
        command.type("go\n");
        assertThat(command.process().kill(Signal.CONT)).isTrue();
        assertThat(command.outcome().succeeded()).isEqualTo("up\nwent on\n");
    }

    @Test
    default void C9_stoppedTreeCanBeKilled(ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        Running command = family(Descendant.BACKGROUND, probe, context);
        assertThat(command.process().kill(Signal.STOP)).isTrue();
        assertThat(command.process().kill(Signal.KILL)).isTrue();
        probe.awaitDeath(context.patience(), "a stopped tree after kill(SIGKILL)");
    }

    @Test
    default void C9_boundedByTwoSeconds(ContractContext context) throws Exception {
        Running command = context.start("trap '' TERM; echo up; read x < " + context.never());
        command.awaitText("up\n");
        for (Signal signal : new Signal[] {Signal.TERM, Signal.USR2, Signal.KILL}) {
            long before = System.nanoTime();
            command.process().kill(signal);
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .as("how long kill(%s) took", signal)
                    .isLessThan(KILL_BOUND);
        }
    }

    @Test
    default void C9_falseAfterExit(ContractContext context) throws Exception {
        Running command = context.start("exit 0");
        ExitStatus status = command.status();
        for (Signal signal : new Signal[] {Signal.TERM, Signal.KILL, Signal.HUP}) {
            assertThat(command.process().kill(signal))
                    .as("kill(%s) after the exit", signal)
                    .isFalse();
        }
        assertThat(command.status()).isEqualTo(status);
    }

    @Test
    default void C9_neverAnotherCommand(ContractContext context) throws Exception {
        Running bystander = context.start(
                "echo up; read go; echo unharmed", context.options().stdin(Stdin.PIPE));
        bystander.awaitText("up\n");
        for (Signal signal : new Signal[] {Signal.TERM, Signal.KILL, Signal.HUP, Signal.INT}) {
            Running victim = context.start("echo up; read x < " + context.never());
            victim.awaitText("up\n");
            assertThat(victim.process().kill(signal)).isTrue();
            assertThat(victim.status()).isEqualTo(new Signaled(signal));
            victim.process().kill(signal);
        }
        assertThat(bystander.goOnUnharmed().succeeded()).isEqualTo("up\nunharmed\n");
    }
}
