package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Descendant;
import dev.paddock.executor.tck.context.Descendants;
import dev.paddock.executor.tck.context.Processes;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import dev.paddock.executor.tck.jvm.ChildJvm;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** C12: the death of the JVM. */
public interface DeathContract {
    Duration DEATH_BOUND = Duration.ofSeconds(5);

    @Test
    default void C12_nothingSurvivesTheJvm(ContractContext trial) throws Exception {
        Map<Descendant, TreeLivenessProbe> witnesses = new LinkedHashMap<>();
        List<String> commands = new ArrayList<>();
        for (Descendant kind : mortal(trial)) {
            TreeLivenessProbe witness = trial.witness();
            witnesses.put(kind, witness);
            commands.add(witness.hold() + kind.start(witness, trial) + "read x < " + trial.never());
        }
        try (ChildJvm jvm = ChildJvm.start(trial, commands)) {
            for (TreeLivenessProbe witness : witnesses.values()) {
                jvm.explaining(() -> {
                    witness.awaitUp(2, trial.patience());
                    return true;
                });
            }
            List<ProcessHandle> below = jvm.descendants();
            jvm.kill();
            long killed = System.nanoTime();
            for (Map.Entry<Descendant, TreeLivenessProbe> entry : witnesses.entrySet()) {
                entry.getValue()
                        .awaitDeath(
                                DEATH_BOUND.minusNanos(System.nanoTime() - killed),
                                "a command with a " + entry.getKey() + " after its JVM was killed");
            }
            Awaitility.await("every process below the JVM is gone 5 s after it was killed")
                    .atMost(DEATH_BOUND)
                    .untilAsserted(() -> assertThat(below.stream()
                                    .filter(ProcessHandle::isAlive)
                                    .map(Processes::describe))
                            .isEmpty());
        }
    }

    private static List<Descendant> mortal(ContractContext trial) throws InterruptedException {
        List<Descendant> kinds = new ArrayList<>(Descendants.usable(trial));
        Descendant nameless = Descendant.NAMELESS_DAEMON;
        if (trial.claims(Guarantee.DIES_WITH_HOST) && trial.hasTools(nameless.tools()) && !kinds.contains(nameless)) {
            kinds.add(nameless);
        }
        return kinds;
    }

    /** The JVM of C3's other tests has no variable that is known to be secret; this one has. */
    @Test
    default void C3_aCanaryOfTheHostsIsNotThere(ContractContext trial) throws Exception {
        trial.assumeTools("env");
        TreeLivenessProbe witness = trial.witness();
        String command = "env -0 > seen; " + witness.hold() + "read x < " + trial.never();
        try (ChildJvm jvm = ChildJvm.start(trial, List.of(command))) {
            jvm.explaining(() -> {
                witness.awaitUp(1, trial.patience());
                return true;
            });
            Map<String, String> seen = EnvironmentContract.parse(Files.readAllBytes(trial.hostPath("seen")));
            assertThat(seen).containsEntry(ContractContext.TAG, trial.tag()).doesNotContainKey(ChildJvm.CANARY);
        }
    }
}
