package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ExitStatus.Signaled;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.subject.FarSide;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C7: the exit status of a command. */
public interface ExitContract {

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(ints = {0, 1, 2, 42, 124, 125, 126, 127, 128, 193, 255})
    default void C7_exitCodes(int code, ContractContext context) throws Exception {
        assertThat(context.start("exit " + code).status()).isEqualTo(new Exited(code));
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(ints = {129, 130, 137, 143, 192})
    default void C7_exitCodesThatLookLikeSignals(int code, ContractContext context) throws Exception {
        // Without the guarantee, 128 + n means signal n, by the shell's convention.
        ExitStatus expected =
                context.claims(Guarantee.EXACT_STATUS) ? new Exited(code) : new Signaled(new Signal(code - 128));
        ExitStatus seen = context.start("exit " + code).status();
        assertThat(seen).isEqualTo(expected);
        assertThat(seen.code()).isEqualTo(code);
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(strings = {"KILL", "TERM", "HUP", "USR1", "ABRT", "SEGV"})
    default void C7_deathBySignal(String name, ContractContext context) throws Exception {
        ExitStatus seen = context.start("ulimit -c 0; kill -" + name + " $$; read x < " + context.never())
                .status();
        assertThat(seen)
                .isInstanceOfSatisfying(
                        Signaled.class,
                        signaled -> assertThat(signaled.signal().name()).isEqualTo(name));
    }

    @Test
    default void C7_notFoundAndNotExecutable(ContractContext context) throws Exception {
        assertThat(context.run("no-such-program-anywhere").status()).isEqualTo(new Exited(127));
        assertThat(context.run(": > plain-file; ./plain-file").status()).isEqualTo(new Exited(126));
    }

    @Test
    default void C7_lastCommandsStatus(ContractContext context) throws Exception {
        assertThat(context.run("(exit 3); (exit 5)").status()).isEqualTo(new Exited(5));
        assertThat(context.run("trap 'exit 9' EXIT; exit 1").status()).isEqualTo(new Exited(9));
        assertThat(context.run("set -e; (exit 6); echo not reached").status()).isEqualTo(new Exited(6));
    }

    @Test
    default void C7_doesNotWaitForStreamsToBeRead(ContractContext context) throws Exception {
        var process = context.spawn("echo unread; exit 8", context.options());
        assertThat(process.onExit().toCompletableFuture().get(context.patience().toSeconds(), TimeUnit.SECONDS))
                .isEqualTo(new Exited(8));
    }

    /**
     * The main process has exited, a child that ignores TERM holds both pipes, and the grace period
     * is long.
     */
    @Test
    default void C7_completesWhoeverHoldsPipes(ContractContext context) throws Exception {
        String gate = "gate";
        Duration grace = context.patience().multipliedBy(2);
        FarSide.Pipe held = context.gate(gate);
        Running command = context.start(
                "( trap '' TERM; echo up; read x < " + gate + " ) & read go; exit 3",
                context.options().killGrace(grace).stdin(Stdin.PIPE));
        command.awaitText("up\n");
        command.type("go\n");
        ExitStatus status = command.status();
        held.release(); // avoids waiting for the grace period
        assertThat(status).isEqualTo(new Exited(3));
        command.outcome();
    }
}
