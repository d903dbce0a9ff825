package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Descendant;
import dev.paddock.executor.tck.context.Descendants;
import dev.paddock.executor.tck.context.Processes;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import dev.paddock.executor.tck.jvm.ChildJvm;
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
    default void C12_nothingSurvivesJvm(ContractContext context) throws Exception {
        Map<Descendant, TreeLivenessProbe> probes = new LinkedHashMap<>();
        List<String> commands = new ArrayList<>();
        for (Descendant kind : mortal(context)) {
            TreeLivenessProbe probe = context.probe();
            probes.put(kind, probe);
            commands.add(probe.hold() + kind.start(probe, context) + "read x < " + context.never());
        }
        try (ChildJvm jvm = ChildJvm.start(context, commands)) {
            for (TreeLivenessProbe probe : probes.values()) {
                jvm.explaining(() -> {
                    // A JVM starts first, and perhaps a container or pod.
                    probe.awaitUp(2, context.patience().multipliedBy(4));
                    return true;
                });
            }
            List<ProcessHandle> below = jvm.descendants();
            jvm.kill();
            long killed = System.nanoTime();
            for (Map.Entry<Descendant, TreeLivenessProbe> entry : probes.entrySet()) {
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

    private static List<Descendant> mortal(ContractContext context) throws InterruptedException {
        List<Descendant> kinds = new ArrayList<>(Descendants.usable(context));
        Descendant nameless = Descendant.NAMELESS_DAEMON;
        if (context.claims(Guarantee.DIES_WITH_HOST)
                && context.hasTools(nameless.tools())
                && !kinds.contains(nameless)) {
            kinds.add(nameless);
        }
        return kinds;
    }

    /** Unlike the JVM of C3's other tests, this one has a known secret variable. */
    @Test
    default void C3_canaryOfHostsIsNotThere(ContractContext context) throws Exception {
        context.assumeTools("env");
        TreeLivenessProbe probe = context.probe();
        String command = "env -0 > seen; " + probe.hold() + "read x < " + context.never();
        try (ChildJvm jvm = ChildJvm.start(context, List.of(command))) {
            jvm.explaining(() -> {
                probe.awaitUp(1, context.patience());
                return true;
            });
            Map<String, String> seen = EnvironmentContract.parse(context.read("seen"));
            assertThat(seen).containsEntry(ContractContext.TAG, context.tag()).doesNotContainKey(ChildJvm.CANARY);
        }
    }
}
