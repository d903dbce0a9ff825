package dev.paddock.executor.tck;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Tests that the suite accepts an executor that keeps the contract. */
@Tag("full")
@ProvenBy(Layer.REFERENCE)
class ReferenceExecutorTest extends CommandExecutorContract {

    private static CommandExecutor unavailable() {
        throw new SandboxUnavailableException("reference", new Availability.Unusable("it was not wanted", "Want it."));
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(new ReferenceExecutor(), PathMapping.same(environment.sharedDirectory()))
                .withProvider(new ReferenceProvider(ReferenceProtection::new), Map.of())
                .withUnavailable(ReferenceExecutorTest::unavailable)
                .asFurtherRun();
    }
}
