package dev.paddock.harness.micrometer;

import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Runs the contract's tests against the host executor with meters: they change no promise. */
@ProvenBy(Layer.WRAPPER)
class MeteredHostContractTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(
                        MeteredExecutor.of(HostExecutor.create(), new SimpleMeterRegistry()),
                        PathMapping.same(environment.sharedDirectory()))
                .asFurtherRun();
    }
}
