package dev.paddock.executor.landlock;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.ContractEnvironment;
import dev.paddock.executor.tck.ContractSubject;
import java.nio.file.Path;
import java.util.Map;

/** Executors for the suites. */
final class Subjects {
    private Subjects() {}

    static ContractSubject of(ContractEnvironment environment, int warmSlots) {
        Path shared = environment.sharedDirectory();
        return ContractSubject.of(
                        LandlockExecutor.builder()
                                .worktree(shared)
                                .warmSlots(warmSlots)
                                .build(),
                        PathMapping.same(shared))
                .withProvider(new LandlockProvider(), Map.of())
                .withUnavailable(() -> LandlockExecutor.builder()
                        .worktree(shared)
                        .asWithVersion(-38)
                        .build());
    }
}
