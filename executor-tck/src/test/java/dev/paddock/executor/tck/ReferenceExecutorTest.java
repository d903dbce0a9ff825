package dev.paddock.executor.tck;

import dev.paddock.executor.policy.PathMapping;

/** The suite accepts an executor that keeps the contract. */
class ReferenceExecutorTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(new ReferenceExecutor(), PathMapping.same(environment.sharedDirectory()))
                .withManyCommands(100);
    }
}
