package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Footprint;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Processes;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C13: many commands. */
public interface ConcurrencyContract {

    /**
     * The tolerated excess over the executor's standing resources, since the sizes of the JVM's and
     * the executor's pools vary. A leak of one thing in a hundred commands would already exceed it
     * in a thousand.
     */
    int SLACK = 9;

    /**
     * Each command waits for a line that the test writes only when all are up: if one blocked
     * another, none would complete.
     */
    @Test
    default void C13_sixtyFourDoNotWaitForOneAnother(ContractContext context) throws Exception {
        List<Running> commands = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            commands.add(context.start(
                    "echo up; read go; echo \"$go\"; exit " + i,
                    context.options().stdin(Stdin.PIPE)));
        }
        for (Running command : commands) {
            command.awaitText("up\n");
        }
        for (int i = 0; i < 64; i++) {
            commands.get(i).type("line " + i + "\n");
        }
        for (int i = 0; i < 64; i++) {
            Outcome outcome = commands.get(i).outcome();
            assertThat(outcome.out()).isEqualTo("up\nline " + i + "\n");
            assertThat(outcome.status()).isEqualTo(new Exited(i));
        }
    }

    @Test
    default void C13_spawnFromAnyThread(ContractContext context) throws Exception {
        Callable<Boolean> work = () -> {
            for (int i = 0; i < context.times(3); i++) {
                String word = Thread.currentThread().threadId() + "-" + i;
                assertThat(context.run(
                                "echo $WORD; echo $WORD >&2", context.options().env("WORD", word)))
                        .satisfies(outcome -> assertThat(outcome.out()).isEqualTo(word + "\n"))
                        .satisfies(outcome -> assertThat(outcome.err()).isEqualTo(word + "\n"));
            }
            return true;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(16);
                ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                all.add((i % 4 == 0 ? virtual : threads).submit(work));
            }
            for (Future<Boolean> each : all) {
                assertThat(each.get(context.patience().toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
        }
    }

    @Test
    @Order(10)
    @Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void C13_manyCommandsLeaveNothing(ContractContext context) throws Exception {
        assumeTrue(Processes.canLook(), "there is no /proc to count in");
        Footprint before = Footprint.now();
        ContractSubject fresh = context.fresh();
        CommandExecutor executor = fresh.executor();
        TreeLivenessProbe probe = context.probe();
        Running keeper = context.start(
                executor, probe.hold() + "read go", context.options().stdin(Stdin.PIPE));
        probe.awaitUp(1, context.patience());
        runMany(probe, context, executor, 40);
        Footprint standing = atRest(context);
        runMany(probe, context, executor, fresh.manyCommands());
        keeper.process().stdin().close();
        probe.awaitDeath(context.patience(), "what one of " + fresh.manyCommands() + " commands left running");
        awaitNoMoreThan(standing.plus(SLACK), "after " + fresh.manyCommands() + " commands", context);
        executor.dispose();
        awaitNoMoreThan(before.plus(SLACK), "after dispose", context);
    }

    /** Waits for a stable footprint: warm slots are refilled a moment after the last command. */
    private static Footprint atRest(ContractContext context) throws Exception {
        Footprint[] last = {Footprint.now()};
        int[] equal = {0};
        Awaitility.await("the footprint returns to a stable value")
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(50))
                .atMost(context.patience())
                .until(() -> {
                    Footprint seen = Footprint.now();
                    // Counts samples, not time: this thread may have been paused.
                    equal[0] = seen.equals(last[0]) ? equal[0] + 1 : 0;
                    last[0] = seen;
                    return equal[0] >= 10;
                });
        return last[0];
    }

    /**
     * Runs mostly plain commands, and among them some that are killed or leave a process running.
     */
    private static void runMany(TreeLivenessProbe probe, ContractContext context, CommandExecutor executor, int count)
            throws Exception {
        String leftover = probe.hold() + "read x < " + context.never();
        Callable<Boolean> quarter = () -> {
            for (int i = 0; i < count / 4; i++) {
                runOne(i, leftover, context, executor);
            }
            context.forgetEnded();
            return true;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Boolean>> all =
                    IntStream.range(0, 4).mapToObj(i -> threads.submit(quarter)).toList();
            for (Future<Boolean> each : all) {
                assertThat(each.get()).isTrue();
            }
        }
    }

    private static void runOne(int number, String leftover, ContractContext context, CommandExecutor executor)
            throws Exception {
        switch (number % 20) {
            case 7 -> {
                Running killed = context.start(executor, "echo up; " + leftover, context.options());
                killed.awaitText("up\n").process().kill(Signal.KILL);
                killed.outcome();
            }
            case 13 ->
                context.start(executor, "{ " + leftover + "; } & exit 0", context.options())
                        .outcome();
            default -> {
                Outcome outcome = context.start(executor, "echo " + number, context.options())
                        .outcome();
                assertThat(outcome.succeeded()).isEqualTo(number + "\n");
            }
        }
    }

    private static void awaitNoMoreThan(Footprint most, String when, ContractContext context) {
        Awaitility.await("the footprint returns to what it was before the commands")
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(50))
                .atMost(context.patience())
                .untilAsserted(() -> assertThat(Footprint.now().excessOver(most))
                        .as("resources that this JVM did not release " + when)
                        .isEmpty());
    }
}
