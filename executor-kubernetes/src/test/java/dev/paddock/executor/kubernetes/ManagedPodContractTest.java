package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import java.nio.file.Path;
import java.util.Map;

/** The contract of an executor with a pod of its own. */
@NeedsCluster
@ProvenBy(Layer.POD)
class ManagedPodContractTest extends CommandExecutorContract {
    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        Path shared = environment.sharedDirectory();
        KubernetesExecutor executor = TestCluster.managed(TestCluster.DEBIAN, shared)
                .quarantine(environment.keptDirectory())
                .build();
        return ContractSubject.of(executor, new PathMapping(shared, "/work"))
                .withProvider(
                        new KubernetesProvider(),
                        Map.of(
                                "image",
                                TestCluster.DEBIAN,
                                "pull",
                                "Never",
                                "worktreePath",
                                ".",
                                "warmSlots",
                                "0",
                                "quarantine",
                                environment.keptDirectory().toString()))
                .withUnavailable(() -> TestCluster.managed("paddock-test/no-such-image:none", shared)
                        .build())
                .withFaults(new SandboxFault("the pod is deleted", () -> deletePod(executor), () -> {}))
                .withTransportBytes(TestCluster.TRANSPORT_BYTES)
                .asFurtherRun();
    }

    private static void deletePod(KubernetesExecutor executor) {
        String pod = executor.pod().orElseThrow();
        assertThat(TestCluster.managedPods()).contains(pod);
        TestCluster.delete(pod);
    }
}
