package dev.paddock.executor.seatbelt;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.ContractEnvironment;
import dev.paddock.executor.tck.ContractSubject;
import java.nio.file.Path;
import java.util.Map;

/** Executors for the suites. */
final class Subjects {
    private Subjects() {}

    static ContractSubject of(ContractEnvironment environment) {
        Path shared = environment.sharedDirectory();
        return ContractSubject.of(SeatbeltExecutor.builder().worktree(shared).build(), PathMapping.same(shared))
                .withProvider(new SeatbeltProvider(), Map.of())
                .withUnavailable(() -> SeatbeltExecutor.builder()
                        .worktree(shared)
                        .with(new MacSandbox("Mac OS X", "/nonexistent/sandbox-exec"))
                        .build());
    }
}
