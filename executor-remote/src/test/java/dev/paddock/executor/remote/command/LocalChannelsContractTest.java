package dev.paddock.executor.remote.command;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Runs the contract's tests for what containers, pods and ssh have in common: shells behind channels. */
@EnabledOnOs(OS.LINUX)
@ProvenBy(Layer.CHANNELS)
class LocalChannelsContractTest extends CommandExecutorContract {

    private static CommandExecutor unavailable() {
        throw new SandboxUnavailableException(
                LocalSystem.NAME, new Availability.Unusable("it is not connected", "Connect it."));
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        LocalChannelsExecutor executor = new LocalChannelsExecutor();
        return ContractSubject.of(executor, PathMapping.same(environment.sharedDirectory()))
                .withUnavailable(LocalChannelsContractTest::unavailable)
                .withManyCommands(Integer.getInteger("paddock.many.commands", 100))
                .withFaults(new SandboxFault("the connection is cut", executor::cut, () -> {}));
    }
}
