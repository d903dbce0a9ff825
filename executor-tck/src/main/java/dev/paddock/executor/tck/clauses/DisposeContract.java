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

    /** The time in which this JVM detects a death that dispose has awaited. */
    Duration NOTICED = Duration.ofSeconds(2);

    @Test
    default void C11_endsEveryLiveCommand(ContractContext context) throws Exception {
        CommandExecutor executor = context.fresh().executor();
        TreeLivenessProbe probe = context.probe();
        List<Running> commands = new ArrayList<>();
        int up = 0;
        for (Descendant kind : Descendants.usable(context)) {
            commands.add(context.start(
                    executor,
                    probe.hold() + kind.start(probe, context) + "read x < " + context.never(),
                    context.options().killGrace(LeftoverContract.SHORT_GRACE)));
            up += 2;
        }
        probe.awaitUp(up, context.patience());
        long before = System.nanoTime();
        executor.dispose();
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("how long dispose took")
                .isLessThan(DISPOSE_BOUND);
        probe.awaitDeath(NOTICED, "a command or its descendant after dispose");
        for (Running command : commands) {
            command.outcome();
        }
    }

    @Test
    default void C11_spawnAfterwardsIsRefused(ContractContext context) throws Exception {
        CommandExecutor executor = context.fresh().executor();
        context.start(executor, "exit 0", context.options()).outcome();
        assertThat(executor.isDisposed()).as("isDisposed before dispose").isFalse();
        executor.dispose();
        assertThat(executor.isDisposed()).as("isDisposed after dispose").isTrue();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() ->
                            context.spawn(executor, ": > ran", context.options().build()))
                    .isInstanceOf(ExecutorDisposedException.class);
        }
        assertThat(context.exists("ran"))
                .as("whether 'ran' exists, which a command that was refused would have made")
                .isFalse();
        assertThat(context.run("echo another executor works").succeeded()).isEqualTo("another executor works\n");
    }

    @Test
    default void C11_idempotentAndSameAsClose(ContractContext context) throws Exception {
        CommandExecutor executor = context.fresh().executor();
        executor.dispose();
        executor.dispose();
        executor.close();
        CommandExecutor closed = context.fresh().executor();
        closed.close();
        assertThatThrownBy(
                        () -> context.spawn(closed, "exit 0", context.options().build()))
                .isInstanceOf(ExecutorDisposedException.class);
    }

    @Test
    default void C11_whatHasEndedKeepsItsResult(ContractContext context) throws Exception {
        CommandExecutor executor = context.fresh().executor();
        Running command = context.start(executor, "echo kept; exit 6", context.options());
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
    default void C11_eachOfSeveralCallersFindsItDone(ContractContext context) throws Exception {
        CommandExecutor executor = context.fresh().executor();
        TreeLivenessProbe probe = context.probe();
        context.start(
                executor,
                probe.hold() + "trap '' TERM; printf u >&9; read x < " + context.never(),
                context.options().killGrace(LeftoverContract.SHORT_GRACE));
        probe.awaitUp(2, context.patience());
        CountDownLatch together = new CountDownLatch(8);
        Callable<Boolean> dispose = () -> {
            together.countDown();
            together.await();
            executor.dispose();
            probe.awaitDeath(NOTICED, "a command after one of 8 concurrent calls of dispose returned");
            return true;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> call : threads.invokeAll(Collections.nCopies(8, dispose))) {
                assertThat(call.get(context.patience().toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
        }
    }

    /**
     * Commands that start during disposal either run and are ended, or are
     * refused.
     */
    @Test
    default void C11_underLoad(ContractContext context) throws Exception {
        CommandExecutor executor = context.fresh().executor();
        Queue<ProcessLike> started = new ConcurrentLinkedQueue<>();
        CountDownLatch underWay = new CountDownLatch(12);
        TreeLivenessProbe probe = context.probe();
        Running keeper =
                context.start(probe.hold() + "read go", context.options().stdin(Stdin.PIPE));
        probe.awaitUp(1, context.patience());
        String command = probe.hold() + "read x < " + context.never();
        Callable<Boolean> load = () -> {
            while (true) {
                try {
                    started.add(context.spawn(
                            executor,
                            command,
                            context.options()
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
            assertThat(underWay.await(context.patience().toSeconds(), TimeUnit.SECONDS))
                    .as("commands start")
                    .isTrue();
            executor.dispose();
            for (Future<Boolean> each : loads) {
                assertThat(each.get(context.patience().toSeconds(), TimeUnit.SECONDS))
                        .as("spawn was refused after dispose")
                        .isTrue();
            }
        }
        for (ProcessLike process : started) {
            new Running(process, context.patience()).outcome();
        }
        keeper.process().stdin().close();
        probe.awaitDeath(context.patience(), "a command that started while its executor was disposed of");
    }
}
