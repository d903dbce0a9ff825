package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Descendant;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** C19: a run of a command to its end. */
public interface RunContract {

    /** More than the buffers of a pipe and an engine. */
    int MUCH = 2 << 20;

    /** Enough for a command to be up on an idle machine. */
    Duration FIRST_TIMEOUT = Duration.ofMillis(250);

    @Test
    default void C19_inputOutputAndStatus(ContractContext context) throws Exception {
        context.assumeTools("cat");
        byte[] input = new byte[512];
        for (int i = 0; i < input.length; i++) {
            input[i] = (byte) i;
        }
        CommandResult result = context.executor()
                .run("cat; echo errors >&2; exit 3", bounded(context).stdin(input));
        assertThat(result.out()).as("the input, as output").isEqualTo(input);
        assertThat(result.errText()).isEqualTo("errors\n");
        assertThat(result.outcome()).isEqualTo(new CommandOutcome.Exited(new ExitStatus.Exited(3)));
        assertThat(result.cleanup()).as("the report of the cleanup").isPresent();
    }

    /** On a busy machine the command may not be up in time; then the timeout is doubled. */
    @Test
    default void C19_timeoutEndsTree(ContractContext context) throws Exception {
        context.assumeReach(Descendant.BACKGROUND);
        Duration timeout = FIRST_TIMEOUT;
        while (!upAndEndedAfter(timeout, context)) {
            assertThat(timeout).as("the time in which the command was not up").isLessThan(context.patience());
            timeout = timeout.multipliedBy(2);
        }
    }

    private static boolean upAndEndedAfter(Duration timeout, ContractContext context) throws Exception {
        TreeLivenessProbe probe = context.probe();
        CommandResult result = context.executor()
                .run(
                        probe.hold() + Descendant.BACKGROUND.start(probe, context) + "echo up; read x < "
                                + context.never(),
                        options(context).timeout(timeout).killGrace(LeftoverContract.SHORT_GRACE));
        assertThat(result.outcome()).isEqualTo(new CommandOutcome.TimedOut(timeout));
        if (result.outBytes() == 0) {
            return false;
        }
        assertThat(result.outText()).as("the output before the timeout").isEqualTo("up\n");
        probe.awaitDeath(context.patience(), "a run after its timeout");
        return true;
    }

    @Test
    default void C19_interruptEndsTree(ContractContext context) throws Exception {
        context.assumeReach(Descendant.BACKGROUND);
        TreeLivenessProbe probe = context.probe();
        String command = probe.hold() + Descendant.BACKGROUND.start(probe, context) + "read x < " + context.never();
        FutureTask<CommandResult> run = new FutureTask<>(
                () -> context.executor().run(command, options(context).killGrace(LeftoverContract.SHORT_GRACE)));
        Thread caller = Thread.ofPlatform().daemon().name("contract runs").start(run);
        probe.awaitUp(2, context.patience());
        caller.interrupt();
        probe.awaitDeath(context.patience(), "a run after an interrupt of its caller");
        assertThatThrownBy(() -> run.get(context.patience().toMillis(), TimeUnit.MILLISECONDS))
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    default void C19_callbackThatThrowsKeepsExitCode(ContractContext context) throws Exception {
        IOException thrown = new IOException("takes no line");
        CommandResult result = context.executor()
                .run("echo first; echo second; exit 5", bounded(context).onLine((from, line) -> {
                    throw thrown;
                }));
        assertThat(result.outcome()).isEqualTo(new CommandOutcome.Exited(new ExitStatus.Exited(5)));
        assertThat(result.callbackErrors()).containsExactly(thrown);
        assertThat(result.outText()).as("the output after the exception").isEqualTo("first\nsecond\n");
    }

    @Test
    default void C19_muchOutputOnBothStreamsDoesNotBlock(ContractContext context) throws Exception {
        context.assumeTools("head");
        CommandResult result = context.executor()
                .run("head -c " + MUCH + " /dev/zero >&2; head -c " + MUCH + " /dev/zero", bounded(context));
        assertThat(result.outcome()).isEqualTo(new CommandOutcome.Exited(new ExitStatus.Exited(0)));
        assertThat(result.errBytes()).as("bytes of stderr").isEqualTo(MUCH);
        assertThat(result.outBytes()).as("bytes of stdout").isEqualTo(MUCH);
    }

    private static RunOptions options(ContractContext context) {
        return RunOptions.in(context.cwd()).env(ContractContext.TAG, context.tag());
    }

    /** Returns options with a timeout for a command that should end by itself. */
    private static RunOptions bounded(ContractContext context) {
        return options(context).timeout(context.patience());
    }
}
