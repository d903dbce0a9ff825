package dev.paddock.executor.host;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import org.junit.jupiter.api.Tag;

/**
 * Runs a part of the contract against the host executor without the mechanisms that only Linux has,
 * as on macOS.
 */
@Tag("full")
@ProvenBy(Layer.FURTHER_LAUNCH)
class PortableProcessesTckTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(Executors.portable(), PathMapping.same(environment.sharedDirectory()));
    }
}
