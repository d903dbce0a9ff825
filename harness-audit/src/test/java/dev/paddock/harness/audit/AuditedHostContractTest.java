package dev.paddock.harness.audit;

import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;

/** Runs the contract's tests against the host executor with an audit: it changes no promise. */
@ProvenBy(Layer.WRAPPER)
class AuditedHostContractTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(
                        AuditedExecutor.builder(HostExecutor.create(), new Recorded())
                                .build(),
                        PathMapping.same(environment.sharedDirectory()))
                .asFurtherRun();
    }
}
