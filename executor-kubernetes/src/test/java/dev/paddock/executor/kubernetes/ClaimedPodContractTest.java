package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import dev.paddock.fixtures.SandboxController;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract of an executor in the sandbox of a claim, whose pod has a copy of the worktree. */
@Tag("full")
@NeedsCluster(sandboxes = NeedsCluster.Use.SHARED)
@ProvenBy(Layer.CLAIM)
class ClaimedPodContractTest extends CommandExecutorContract {
    /** The controller of this class, which serves the JVMs that its tests start, too. */
    private static final String CONTROLLER = "contract";

    /** Of the policies that the contract asks a provider to keep. */
    private static final String LIMITS = "          resources: {limits: {memory: 64Mi, cpu: 500m}}\n";

    private static final Set<Path> DIRECTORIES = new ConcurrentSkipListSet<>();
    private static SandboxController controller;

    @BeforeAll
    static void startController() {
        controller = SandboxController.start(TestCluster.kubeconfig(), TestCluster.NAMESPACE, CONTROLLER);
    }

    @AfterAll
    static void stopController() throws Exception {
        controller.close();
        for (Path pipes : DIRECTORIES) {
            assertThat(new ProcessBuilder("rm", "-rf", pipes.toString()).start().waitFor())
                    .isZero();
        }
        DIRECTORIES.clear();
    }

    /** Returns a template whose pods {@link PodsFarSide} finds. */
    private static String template(Path worktree, String limits) {
        String label = "    metadata: {labels: {" + PodsFarSide.LABEL + ": '" + PodsFarSide.label(worktree) + "'}}\n";
        return SandboxController.publish(
                TestCluster.kubeconfig(),
                TestCluster.NAMESPACE,
                CONTROLLER,
                TestCluster.template()
                        .replace("  podTemplate:\n", "  podTemplate:\n" + label)
                        .replace("          workingDir: /\n", "          workingDir: /\n" + limits));
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) throws Exception {
        Path worktree = environment.sharedDirectory();
        String quarantine = environment.keptDirectory().resolve("quarantine").toString();
        KubernetesExecutor executor = KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(TestCluster.NAMESPACE)
                .claim(template(worktree, ""))
                .worktree(worktree)
                .quarantine(Path.of(quarantine))
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
                        Map.of("claim", template(worktree, LIMITS), "warmSlots", "0", "quarantine", quarantine))
                .withFaults(new SandboxFault(
                        "the pod is deleted",
                        () -> TestCluster.delete(executor.pod().orElseThrow()),
                        () -> {}))
                .withTransportBytes(TestCluster.TRANSPORT_BYTES)
                .asFurtherRun();
    }
}
