package dev.paddock.executor.tck;

import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;

/**
 * The suite over a broken executor: the one that a parameter of the run names, or, in the JVM that C12 kills and that knows
 * no run, a system property.
 */
@ExtendWith(BrokenContract.Naming.class)
class BrokenContract extends CommandExecutorContract {
    static final String NAME = "paddock.contract.broken";

    private String name = System.getProperty(NAME, "");

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        Broken broken = Broken.named(name);
        ContractSubject subject = broken.subject().apply(environment);
        // What is found by luck is looked for in full; a leak shows in fewer commands.
        return broken.fails().startsWith("C13_many") ? subject.withManyCommands(80) : subject;
    }

    /** Hands on the parameter. */
    static final class Naming implements TestInstancePostProcessor {
        @Override
        public void postProcessTestInstance(Object instance, ExtensionContext context) {
            ((BrokenContract) instance).name =
                    context.getConfigurationParameter(NAME).orElseThrow();
        }
    }
}
