package dev.paddock.executor.host;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;

/** The host executor keeps the contract without what only Linux has, as it has to on macOS. */
class PortableProcessesTckTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(Executors.portable(), PathMapping.same(environment.sharedDirectory()));
    }
}
