package dev.paddock.executor.host;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import org.junit.jupiter.api.Tag;

/**
 * Runs a part of the contract, except EXACT_STATUS, against the host executor with processes that the
 * JDK's ProcessBuilder starts.
 */
@Tag("full")
@ProvenBy(Layer.FURTHER_LAUNCH)
class JdkProcessesTckTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(
                        HostExecutor.builder().means(HostCommands.Means.JDK).build(),
                        PathMapping.same(environment.sharedDirectory()))
                .asFurtherRun();
    }
}
