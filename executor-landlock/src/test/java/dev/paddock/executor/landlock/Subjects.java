package dev.paddock.executor.landlock;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.jvm.OrdinaryUser;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.nio.file.Path;
import java.util.Map;

/** Creates executors for the suites. */
public final class Subjects {
    private Subjects() {}

    static ContractSubject of(ContractEnvironment environment, int warmSlots) {
        Path shared = environment.sharedDirectory();
        ContractSubject subject = ContractSubject.of(
                        LandlockExecutor.builder()
                                .worktree(shared)
                                .warmSlots(warmSlots)
                                .build(),
                        PathMapping.same(shared))
                .withProvider(
                        new LandlockProvider(),
                        Map.of("quarantine", environment.keptDirectory().toString()))
                .withUnavailable(() -> LandlockExecutor.builder()
                        .worktree(shared)
                        .asWithVersion(-38)
                        .build());
        return OrdinaryUser.isAgain() ? subject.asFurtherRun() : subject;
    }
}
