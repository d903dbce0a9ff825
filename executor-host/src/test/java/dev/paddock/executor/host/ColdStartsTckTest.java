package dev.paddock.executor.host;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import org.junit.jupiter.api.Tag;

/** Runs the contract's tests against the host executor without warm slots. */
@Tag("full")
@ProvenBy(Layer.COLD)
class ColdStartsTckTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(
                        HostExecutor.builder().warmSlots(0).build(), PathMapping.same(environment.sharedDirectory()))
                .asFurtherRun();
    }
}
