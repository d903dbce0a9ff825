package dev.paddock.executor.landlock;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.ContractEnvironment;
import dev.paddock.executor.tck.ContractSubject;
import dev.paddock.executor.tck.OrdinaryUser;
import java.nio.file.Path;
import java.util.Map;

/** Executors for the suites. */
final class Subjects {
    private static final String QUARANTINE = Path.of(
                    OrdinaryUser.isAgain() ? System.getProperty("java.io.tmpdir") : "target", "quarantine")
            .toAbsolutePath()
            .toString();

    private Subjects() {}

    static ContractSubject of(ContractEnvironment environment, int warmSlots) {
        Path shared = environment.sharedDirectory();
        ContractSubject subject = ContractSubject.of(
                        LandlockExecutor.builder()
                                .worktree(shared)
                                .warmSlots(warmSlots)
                                .build(),
                        PathMapping.same(shared))
                .withProvider(new LandlockProvider(), Map.of("quarantine", QUARANTINE))
                .withUnavailable(() -> LandlockExecutor.builder()
                        .worktree(shared)
                        .asWithVersion(-38)
                        .build());
        return OrdinaryUser.isAgain() ? subject.asFurtherRun() : subject;
    }
}
