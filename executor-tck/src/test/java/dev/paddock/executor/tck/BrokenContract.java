package dev.paddock.executor.tck;

import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;

/**
 * Runs the suite over a broken executor, named by a parameter of the run or, in the JVM that C12
 * kills and that has no such parameter, by a system property.
 */
@ExtendWith(BrokenContract.Naming.class)
class BrokenContract extends CommandExecutorContract {
    static final String NAME = "paddock.contract.broken";

    private String name = System.getProperty(NAME, "");

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        Broken broken = Broken.named(name);
        boolean alone = broken.company() == Broken.Company.NONE;
        ContractSubject subject =
                broken.subject().apply(environment).withPatience(alone ? Broken.PATIENCE_ALONE : Broken.PATIENCE);
        // Race conditions are tested in full; a leak is detected with fewer commands.
        return broken.fails().startsWith("C13_many") ? subject.withManyCommands(80) : subject;
    }

    /** Passes on the parameter. */
    static final class Naming implements TestInstancePostProcessor {
        @Override
        public void postProcessTestInstance(Object instance, ExtensionContext context) {
            ((BrokenContract) instance).name =
                    context.getConfigurationParameter(NAME).orElseThrow();
        }
    }
}
