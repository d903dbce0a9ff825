package dev.paddock.executor.kubernetes;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** The contract of an executor that is attached to a pod that somebody else has made. */
@Tag("full")
@NeedsCluster
@ProvenBy(Layer.FURTHER_POD)
class AttachedPodContractTest extends CommandExecutorContract {
    private static final Set<String> PODS = new ConcurrentSkipListSet<>();

    @AfterAll
    static void deletePods() {
        PODS.forEach(TestCluster::delete);
        PODS.clear();
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        Path shared = environment.sharedDirectory();
        String pod = "box-" + Integer.toHexString(shared.hashCode());
        PODS.add(pod);
        TestCluster.start(pod, TestCluster.BUSYBOX, shared);
        KubernetesExecutor executor = KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(TestCluster.NAMESPACE)
                .pod(pod)
                .container(TestCluster.CONTAINER)
                .build();
        return ContractSubject.of(executor, new PathMapping(shared, "/work"))
                .withFaults(new SandboxFault(
                        "the pod is deleted",
                        () -> TestCluster.delete(pod),
                        () -> TestCluster.start(pod, TestCluster.BUSYBOX, shared)))
                .withTransportBytes(TestCluster.TRANSPORT_BYTES)
                .asFurtherRun();
    }
}
