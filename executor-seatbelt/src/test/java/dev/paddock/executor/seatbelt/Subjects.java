package dev.paddock.executor.seatbelt;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.nio.file.Path;
import java.util.Map;

/** Creates executors for the suites. */
public final class Subjects {
    private Subjects() {}

    static ContractSubject of(ContractEnvironment environment) {
        Path shared = environment.sharedDirectory();
        return ContractSubject.of(SeatbeltExecutor.builder().worktree(shared).build(), PathMapping.same(shared))
                .withProvider(
                        new SeatbeltProvider(),
                        Map.of("quarantine", environment.keptDirectory().toString()))
                .withUnavailable(() -> SeatbeltExecutor.builder()
                        .worktree(shared)
                        .with(new MacSandbox("Mac OS X", "/nonexistent/sandbox-exec"))
                        .build());
    }
}
