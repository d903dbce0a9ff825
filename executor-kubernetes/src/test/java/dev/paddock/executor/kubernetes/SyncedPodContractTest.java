package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** The contract of an executor whose pod has a copy of the worktree. */
@Tag("full")
@NeedsCluster
@ProvenBy(Layer.COPY)
class SyncedPodContractTest extends CommandExecutorContract {
    private static final Set<Path> DIRECTORIES = new ConcurrentSkipListSet<>();

    @AfterAll
    static void removePipes() throws Exception {
        for (Path pipes : DIRECTORIES) {
            assertThat(new ProcessBuilder("rm", "-rf", pipes.toString()).start().waitFor())
                    .isZero();
        }
        DIRECTORIES.clear();
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) throws Exception {
        Path worktree = environment.sharedDirectory();
        KubernetesExecutor executor = TestCluster.synced(TestCluster.BUSYBOX, worktree)
                .quarantine(environment.keptDirectory().resolve("quarantine"))
                .label(PodsFarSide.LABEL, PodsFarSide.label(worktree))
                .eager()
                .build();
        PodsFarSide there;
        try {
            there = new PodsFarSide(worktree, executor);
            DIRECTORIES.add(PodsFarSide.pipes(worktree));
        } catch (IOException | RuntimeException fault) {
            executor.dispose();
            throw fault;
        }
        return ContractSubject.of(executor, new PathMapping(worktree, "/work"))
                .farSide(there)
                .withProvider(
                        new KubernetesProvider(),
                        Map.of(
                                "image",
                                TestCluster.BUSYBOX,
                                "pull",
                                "Never",
                                "warmSlots",
                                "0",
                                "quarantine",
                                environment
                                        .keptDirectory()
                                        .resolve("quarantine")
                                        .toString()))
                .withFaults(new SandboxFault(
                        "the pod is deleted",
                        () -> TestCluster.delete(executor.pod().orElseThrow()),
                        () -> {}))
                .withTransportBytes(TestCluster.TRANSPORT_BYTES)
                .asFurtherRun();
    }
}
