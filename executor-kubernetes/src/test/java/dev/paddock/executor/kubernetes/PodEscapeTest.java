package dev.paddock.executor.kubernetes;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.EscapeContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.nio.file.Path;
import java.util.Map;

/** Attempts to escape from a pod, whose node is this machine; the worktree is synchronized. */
@NeedsCluster
@ProvenBy(Layer.POD_ESCAPES)
class PodEscapeTest extends EscapeContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        Path shared = environment.sharedDirectory();
        KubernetesExecutor executor = TestCluster.synced(TestCluster.DEBIAN, shared)
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
                                "quarantine",
                                environment.keptDirectory().toString()));
    }

    @Override
    protected boolean hasMounts() {
        return false;
    }
}
