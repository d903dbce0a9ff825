package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ExitStatus.Signaled;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Descendant;
import dev.paddock.executor.tck.context.Footprint;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Processes;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import dev.paddock.executor.tck.subject.FarSide;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C20: a command can have its own controlling terminal. */
public interface TerminalContract {
    int COLUMNS = 101;
    int ROWS = 33;

    /** The command that Ctrl-C types. */
    String INTERRUPT = "\003";

    /** Returns options with a terminal, or skips the test. */
    static SpawnOptions.Builder terminal(ContractContext context) throws InterruptedException {
        context.assumeClaimed(Guarantee.TERMINAL);
        context.assumeTools("cat", "head", "stty", "tty", "wc");
        return context.options().terminal(COLUMNS, ROWS);
    }

    @Test
    default void C20_refusedWhereItIsNotClaimed(ContractContext context) throws Exception {
        assumeFalse(context.claims(Guarantee.TERMINAL), "the executor gives commands a terminal");
        assertThatThrownBy(() -> context.spawn(": > ran", context.options().terminal(COLUMNS, ROWS)))
                .as("a command that asks for a terminal")
                .isInstanceOf(SpawnException.class);
        assertThat(context.run("[ -e ran ] || echo nothing").succeeded()).isEqualTo("nothing\n");
    }

    @Test
    default void C20_sizeAskedFor(ContractContext context) throws Exception {
        Outcome outcome = context.run("tty >&2; test -t 0 && test -t 1 && test -t 2 && stty size", terminal(context));
        assertThat(outcome.succeeded()).startsWith("/dev/").endsWith("\r\n" + ROWS + " " + COLUMNS + "\r\n");
        assertThat(outcome.err()).as("stderr").isEmpty();
    }

    @Test
    default void C20_itIsControllingTerminal(ContractContext context) throws Exception {
        Running command =
                context.start("stty -echo; echo up > /dev/tty; read x < /dev/tty; echo got $x", terminal(context));
        command.awaitText("up\r\n").type("this\n");
        assertThat(command.outcome().succeeded()).isEqualTo("up\r\ngot this\r\n");
    }

    @Test
    default void C20_resizeIsSignalled(ContractContext context) throws Exception {
        Running command = context.start(
                "trap 'stty size; exit 5' WINCH; echo up; read x < " + context.never() + " & wait; wait",
                terminal(context));
        command.awaitText("up");
        assertThatThrownBy(() -> command.process().resize(0, ROWS)).isInstanceOf(IllegalArgumentException.class);
        assertThat(command.process().resize(120, 40)).as("resized").isTrue();
        assertThat(command.status()).isEqualTo(new Exited(5));
        assertThat(command.outcome().out()).endsWith("40 120\r\n");
        assertThat(command.process().resize(80, 24)).as("resized after the end").isFalse();
        Running plain = context.start("exit 0");
        assertThat(plain.process().resize(80, 24))
                .as("resized without a terminal")
                .isFalse();
        plain.outcome();
    }

    @Test
    default void C20_interruptReachesForegroundAlone(ContractContext context) throws Exception {
        context.gate("background");
        context.gate("foreground");
        // With -m the first job has its own process group, in the background. The shell may be
        // interrupted before it waits for the second job, so the trap must end that job. Each job reports
        // itself that it is up: in dash a job that was just forked dies of an interrupt.
        Running command = context.start(
                "stty -echo; set -m; { echo up; read x < background; echo background $x; } & first=$!; set +m; "
                        + "trap 'echo hit; echo x > foreground' INT; { echo up; read x < foreground; } & second=$!; "
                        + "wait $second; echo lives > background; wait $first; exit 7",
                terminal(context));
        command.awaitText("up\r\nup\r\n").type(INTERRUPT);
        Outcome outcome = command.outcome();
        assertThat(outcome.out()).endsWith("hit\r\nbackground lives\r\n");
        assertThat(outcome.status()).isEqualTo(new Exited(7));
        assertThat(context.run("echo another works").succeeded()).isEqualTo("another works\n");
    }

    @Test
    default void C20_endOfInput(ContractContext context) throws Exception {
        for (String typed : new String[] {"", "line\n", "part", "line\npart"}) {
            Running command = context.start("stty -echo; echo up; cat; echo end", terminal(context));
            command.awaitText("up\r\n");
            if (!typed.isEmpty()) {
                command.type(typed);
            }
            command.process().stdin().close();
            assertThat(command.outcome().succeeded())
                    .as("what was typed comes back, and then the end")
                    .isEqualTo("up\r\n" + typed.replace("\n", "\r\n") + "end\r\n");
        }
    }

    @Test
    default void C20_noEndOfInputForSingleCharacters(ContractContext context) throws Exception {
        Running command = context.start(
                "stty -echo -icanon min 0 time 5; echo up; head -c 1 | wc -c; echo end", terminal(context));
        command.awaitText("up\r\n").process().stdin().close();
        assertThat(command.outcome().succeeded()).matches("up\r\n *0\r\nend\r\n");
    }

    @Test
    default void C20_nothingIsTakenAfterEnd(ContractContext context) throws Exception {
        Running command = context.start("exit 4", terminal(context));
        assertThat(command.outcome().status()).isEqualTo(new Exited(4));
        assertThatThrownBy(() -> command.process().stdin().write('x'))
                .as("typing after the end")
                .isInstanceOf(IOException.class);
        command.process().stdin().close();
    }

    @Test
    default void C20_longInputWaitsForItsReader(ContractContext context) throws Exception {
        Running command = context.start("stty -echo; echo up; wc -l", terminal(context));
        command.awaitText("up\r\n").type(("x".repeat(63) + "\n").repeat(4096));
        command.process().stdin().close();
        assertThat(command.outcome().succeeded()).matches("up\r\n *4096\r\n");
    }

    @Test
    default void C20_everythingInOrderWritten(ContractContext context) throws Exception {
        Outcome outcome = context.run(
                "stty -onlcr; i=0; while [ $i -lt 3000 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done",
                terminal(context));
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            expected.append("o").append(i).append("\ne").append(i).append('\n');
        }
        assertThat(outcome.succeeded()).isEqualTo(expected.toString());
        assertThat(outcome.err()).as("stderr").isEmpty();
    }

    @Test
    default void C20_nothingIsLostAtEnd(ContractContext context) throws Exception {
        for (int i = 0; i < context.times(15); i++) {
            Outcome outcome = context.run("printf %05000d 7; printf 'last words'; exit 1", terminal(context));
            assertThat(outcome.out()).as("output of run %d", i).hasSize(5010).endsWith("07last words");
        }
    }

    @Test
    default void C20_closedTerminalIsNotEnd(ContractContext context) throws Exception {
        FarSide.Pipe go = context.gate("go");
        Running command = context.start(
                "exec < /dev/null > /dev/null 2>&1; : > closed; read x < go; echo late > /dev/tty", terminal(context));
        Awaitility.await("the command has closed its terminal")
                .atMost(context.patience())
                .until(() -> context.exists("closed"));
        go.release();
        assertThat(command.outcome().succeeded()).isEqualTo("late\r\n");
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource(names = {"BACKGROUND", "SETSID", "TERM_IGNORED", "NAMELESS_DAEMON"})
    default void C20_killEndsTree(Descendant kind, ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        Running command = family(kind, probe, terminal(context), context);
        assertThat(command.process().kill(Signal.KILL))
                .as("something was there")
                .isTrue();
        probe.awaitDeath(context.patience(), "a tree with a terminal and a " + kind + " after kill(SIGKILL)");
        assertThat(command.outcome().status()).isEqualTo(new Signaled(Signal.KILL));
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource(names = {"BACKGROUND", "SETSID", "TERM_IGNORED"})
    default void C20_abortEndsTree(Descendant kind, ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        AbortController controller = new AbortController();
        Running command = family(kind, probe, terminal(context).signal(controller.signal()), context);
        controller.abort();
        probe.awaitDeath(context.patience(), "a tree with a terminal and a " + kind + " after an abort");
        assertThat(command.outcome().status().isSuccess()).isFalse();
    }

    /** Starts a command that starts a descendant and waits with it. */
    private static Running family(
            Descendant kind, TreeLivenessProbe probe, SpawnOptions.Builder options, ContractContext context)
            throws Exception {
        context.assumeReach(kind);
        Running command = context.start(
                probe.hold() + kind.start(probe, context) + "read x < " + context.never(),
                options.killGrace(LeftoverContract.SHORT_GRACE));
        probe.awaitUp(2, context.patience());
        return command;
    }

    @Test
    default void C20_leftoverDelaysNothing(ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        String holder = "( trap '' TERM HUP; " + probe.report() + "read x < " + context.never() + " ) &\n";
        Running command = context.start(
                probe.hold() + holder + "stty -echo; read go; echo out",
                terminal(context).killGrace(LeftoverContract.SHORT_GRACE));
        probe.awaitUp(2, context.patience());
        command.process().stdin().close();
        Outcome outcome = command.outcome();
        assertThat(outcome.out()).isEqualTo("out\r\n");
        probe.awaitDeath(context.patience(), "what a command left at its terminal");
    }

    @Test
    default void C20_otherwiseAsWithoutTerminal(ContractContext context) throws Exception {
        String report = "pwd; echo \"[$TERM] [$GREETING]\"; exit 42";
        SpawnOptions.Builder options = terminal(context).env("GREETING", "hello");
        Outcome outcome = context.run(report, options);
        Outcome plain = context.run(report, context.options().env("GREETING", "hello"));
        assertThat(outcome.out()).isEqualTo(plain.out().replace("\n", "\r\n"));
        assertThat(outcome.status()).isEqualTo(new Exited(42));
        assertThatThrownBy(() -> context.spawn(
                        ":", SpawnOptions.builder(context.cwd() + "/nowhere").terminal(COLUMNS, ROWS)))
                .isInstanceOf(SpawnException.class);
    }

    @Test
    default void C20_commandTooLongForArgument(ContractContext context) throws Exception {
        Outcome outcome = context.run(": " + "x".repeat(200_000) + "; stty size; exit 3", terminal(context));
        assertThat(outcome.out()).isEqualTo(ROWS + " " + COLUMNS + "\r\n");
        assertThat(outcome.status()).isEqualTo(new Exited(3));
    }

    @Test
    default void C20_commandHasNoOtherDescriptor(ContractContext context) throws Exception {
        context.assumeTools("ls");
        Outcome outcome = context.run("ls -1 /proc/$$/fd; ls -l /proc/$$/fd", terminal(context));
        assertThat(outcome.succeeded()).startsWith("0\r\n1\r\n2\r\n").doesNotContain("ptmx");
    }

    @Test
    default void C20_noOtherTerminalIsReached(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.WRITE_CONFINED);
        CommandExecutor other = context.otherExecutor();
        Running victim =
                context.start(other, "stty -echo; tty > victim; echo up; read go; echo end", terminal(context));
        victim.awaitText("up\r\n");
        // Also by name: a command may be able to open what it cannot list.
        Outcome outcome = context.run(
                "for t in $(cat victim) /dev/pts/[0-9]*; do { echo intruder > $t; } 2>/dev/null; done; echo done",
                terminal(context));
        assertThat(outcome.succeeded()).endsWith("done\r\n");
        victim.type("go\n");
        assertThat(victim.outcome().succeeded())
                .as("what another executor's terminal shows")
                .isEqualTo("up\r\nend\r\n");
    }

    @Test
    default void C20_nothingIsTypedByCommand(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.SYSCALL_FILTER);
        context.assumeTools("perl");
        Outcome outcome = context.run(
                "perl -e 'my $c = \"x\"; ioctl(STDIN, 0x5412, $c) or print \"refused: \", $! + 0, \"\\n\"'",
                terminal(context));
        assertThat(outcome.succeeded()).as("TIOCSTI").isEqualTo("refused: 1\r\n");
    }

    @Test
    default void C20_manyLeaveNoDescriptor(ContractContext context) throws Exception {
        assumeTrue(Processes.canLook(), "there is no /proc to count in");
        int many = context.subject().isFurtherRun() ? 20 : 30;
        runMany(5, context);
        long before = Footprint.now().descriptors();
        runMany(many, context);
        Awaitility.await(many + " commands with terminals have left no descriptor")
                .atMost(context.patience())
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(Footprint.now().descriptors())
                        .as("open descriptors; %d before", before)
                        .isLessThan(before + many / 2));
    }

    private static void runMany(int count, ContractContext context) throws Exception {
        for (int i = 0; i < count; i++) {
            assertThat(context.run("echo " + i, terminal(context)).succeeded()).isEqualTo(i + "\r\n");
        }
    }
}
