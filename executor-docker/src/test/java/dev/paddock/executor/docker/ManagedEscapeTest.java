package dev.paddock.executor.docker;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.EscapeContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.nio.file.Path;
import java.util.Map;

/** Attempts to escape from a managed container. */
@ProvenBy(Layer.CONTAINER_ESCAPES)
class ManagedEscapeTest extends EscapeContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        TestEngine.withImage(TestEngine.DEBIAN);
        Path shared = environment.sharedDirectory();
        DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.DEBIAN)
                .pullPolicy(PullPolicy.NEVER)
                .worktree(shared)
                .build();
        return ContractSubject.of(executor, new PathMapping(shared, "/work"))
                .withProvider(
                        new DockerProvider(),
                        Map.of(
                                "image",
                                TestEngine.DEBIAN,
                                "quarantine",
                                environment.keptDirectory().toString(),
                                "warmSlots",
                                "0")); // the executors of a policy run few commands each
    }
}
