package dev.paddock.executor.host;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;

/** The host executor keeps the contract, but for EXACT_STATUS, where processes are started by the JDK's own means. */
class JdkProcessesTckTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(
                        HostExecutor.builder().means(HostCommands.Means.JDK).build(),
                        PathMapping.same(environment.sharedDirectory()))
                .asFurtherRun();
    }
}
