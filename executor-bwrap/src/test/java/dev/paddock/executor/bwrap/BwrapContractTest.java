package dev.paddock.executor.bwrap;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.upkeep.SweepMode;
import org.junit.jupiter.api.AfterAll;

/**
 * Runs the contract's tests with warm slots, and with the worktree at another path than on the
 * host.
 */
@ProvenBy(Layer.BUBBLEWRAP)
class BwrapContractTest extends CommandExecutorContract {

    /** C12 kills JVMs, which leave directories and cgroups for the next start to sweep. */
    @AfterAll
    static void sweep() {
        new BwrapProvider().sweep(SweepMode.REMOVE);
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return Subjects.of(environment, new PathMapping(environment.sharedDirectory(), "/work"), 2);
    }
}
