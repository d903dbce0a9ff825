package dev.paddock.executor.landlock;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.ContractEnvironment;
import dev.paddock.executor.tck.ContractSubject;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LandlockContractTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(
                        LandlockExecutor.builder()
                                .worktree(environment.sharedDirectory())
                                .build(),
                        PathMapping.same(environment.sharedDirectory()))
                .withProvider(new LandlockProvider(), Map.of())
                .withUnavailable(() -> LandlockExecutor.builder()
                        .worktree(environment.sharedDirectory())
                        .asWithVersion(-38)
                        .build());
    }
}
