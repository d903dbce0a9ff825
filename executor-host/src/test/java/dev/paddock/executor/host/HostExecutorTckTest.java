package dev.paddock.executor.host;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.util.Map;

/** Runs the contract's tests against the host executor. */
@ProvenBy(Layer.HOST)
class HostExecutorTckTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(HostExecutor.create(), PathMapping.same(environment.sharedDirectory()))
                .withProvider(new HostProvider(), Map.of());
    }
}
