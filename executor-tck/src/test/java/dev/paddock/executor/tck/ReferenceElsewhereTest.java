package dev.paddock.executor.tck;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.ShellFarSide;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;

/**
 * Tests that the suite reaches the files of a place elsewhere by its far side alone: commands see none
 * of the shared directory's.
 */
@Tag("full")
@ProvenBy(Layer.ELSEWHERE)
class ReferenceElsewhereTest extends CommandExecutorContract {
    @Override
    protected ContractSubject subject(ContractEnvironment environment) throws Exception {
        ShellFarSide there = new ShellFarSide(UnaryOperator.identity());
        String elsewhere = environment.keptDirectory().resolve("elsewhere").toString();
        there.makeDirectory(elsewhere);
        return ContractSubject.of(new ReferenceExecutor(), new PathMapping(environment.sharedDirectory(), elsewhere))
                .farSide(there)
                .asFurtherRun();
    }
}
