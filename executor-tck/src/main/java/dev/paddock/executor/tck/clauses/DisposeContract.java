package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Descendant;
import dev.paddock.executor.tck.context.Descendants;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** C11: dispose. */
public interface DisposeContract {
    Duration DISPOSE_BOUND = Duration.ofSeconds(10);

    @Test
    default void C11_endsEveryLiveCommand(ContractContext trial) throws Exception {
        CommandExecutor executor = trial.fresh().executor();
        TreeLivenessProbe witness = trial.witness();
        List<Running> commands = new ArrayList<>();
        int up = 0;
        for (Descendant kind : Descendants.usable(trial)) {
            commands.add(trial.start(
                    executor,
                    witness.hold() + kind.start(witness, trial) + "read x < " + trial.never(),
                    trial.options().killGrace(LeftoverContract.SHORT_GRACE)));
            up += 2;
        }
        witness.awaitUp(up, trial.patience());
        long before = System.nanoTime();
        executor.dispose();
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("how long dispose took")
                .isLessThan(DISPOSE_BOUND);
        witness.awaitDeath(Duration.ofMillis(500), "a command or its descendant after dispose");
        for (Running command : commands) {
            command.outcome();
        }
    }

    @Test
    default void C11_spawnAfterwardsIsRefused(ContractContext trial) throws Exception {
        CommandExecutor executor = trial.fresh().executor();
        trial.start(executor, "exit 0", trial.options()).outcome();
        executor.dispose();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() ->
                            trial.spawn(executor, ": > ran", trial.options().build()))
                    .isInstanceOf(ExecutorDisposedException.class);
        }
        assertThat(trial.hostPath("ran"))
                .as("what a command that was refused would have made")
                .doesNotExist();
        assertThat(trial.run("echo another executor works").succeeded()).isEqualTo("another executor works\n");
    }

    @Test
    default void C11_idempotentAndTheSameAsClose(ContractContext trial) throws Exception {
        CommandExecutor executor = trial.fresh().executor();
        executor.dispose();
        executor.dispose();
        executor.close();
        CommandExecutor closed = trial.fresh().executor();
        closed.close();
        assertThatThrownBy(() -> trial.spawn(closed, "exit 0", trial.options().build()))
                .isInstanceOf(ExecutorDisposedException.class);
    }

    @Test
    default void C11_whatHasEndedKeepsItsResult(ContractContext trial) throws Exception {
        CommandExecutor executor = trial.fresh().executor();
        Running command = trial.start(executor, "echo kept; exit 6", trial.options());
        command.status();
        executor.dispose();
        Outcome outcome = command.outcome();
        assertThat(outcome.out()).isEqualTo("kept\n");
        assertThat(outcome.status().code()).isEqualTo(6);
        assertThat(command.process().kill(Signal.KILL))
                .as("kill after the exit")
                .isFalse();
    }

    @Test
    default void C11_eachOfSeveralCallersFindsItDone(ContractContext trial) throws Exception {
        CommandExecutor executor = trial.fresh().executor();
        TreeLivenessProbe witness = trial.witness();
        trial.start(
                executor,
                witness.hold() + "trap '' TERM; printf u >&9; read x < " + trial.never(),
                trial.options().killGrace(LeftoverContract.SHORT_GRACE));
        witness.awaitUp(2, trial.patience());
        CountDownLatch together = new CountDownLatch(8);
        Callable<Boolean> dispose = () -> {
            together.countDown();
            together.await();
            executor.dispose();
            witness.awaitDeath(Duration.ofMillis(500), "a command after one of 8 concurrent calls of dispose returned");
            return true;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> call : threads.invokeAll(Collections.nCopies(8, dispose))) {
                assertThat(call.get(trial.patience().toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
        }
    }

    /**
     * Commands that start while the executor is disposed of either run and are ended, or are
     * refused.
     */
    @Test
    default void C11_underLoad(ContractContext trial) throws Exception {
        CommandExecutor executor = trial.fresh().executor();
        Queue<ProcessLike> started = new ConcurrentLinkedQueue<>();
        CountDownLatch underWay = new CountDownLatch(12);
        TreeLivenessProbe witness = trial.witness();
        Running keeper = trial.start(witness.hold() + "read go", trial.options().stdin(Stdin.PIPE));
        witness.awaitUp(1, trial.patience());
        String command = witness.hold() + "read x < " + trial.never();
        Callable<Boolean> load = () -> {
            while (true) {
                try {
                    started.add(trial.spawn(
                            executor,
                            command,
                            trial.options()
                                    .killGrace(LeftoverContract.SHORT_GRACE)
                                    .build()));
                    underWay.countDown();
                } catch (ExecutorDisposedException expected) {
                    return true;
                }
                if (started.size() > 2000) {
                    return false;
                }
            }
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Boolean>> loads =
                    List.of(threads.submit(load), threads.submit(load), threads.submit(load), threads.submit(load));
            assertThat(underWay.await(trial.patience().toSeconds(), TimeUnit.SECONDS))
                    .as("commands start")
                    .isTrue();
            executor.dispose();
            for (Future<Boolean> each : loads) {
                assertThat(each.get(trial.patience().toSeconds(), TimeUnit.SECONDS))
                        .as("spawn was refused after dispose")
                        .isTrue();
            }
        }
        for (ProcessLike process : started) {
            new Running(process, trial.patience()).outcome();
        }
        keeper.process().stdin().close();
        witness.awaitDeath(trial.patience(), "a command that started while its executor was disposed of");
    }
}
