package dev.paddock.executor.landlock;

import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.upkeep.SweepMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@ProvenBy(Layer.LANDLOCK)
class LandlockContractTest extends CommandExecutorContract {

    /** C12 kills JVMs, which leave directories and cgroups for the next sweep. */
    @AfterAll
    static void sweep() {
        new LandlockProvider().sweep(SweepMode.REMOVE);
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return Subjects.of(environment, 2);
    }
}
