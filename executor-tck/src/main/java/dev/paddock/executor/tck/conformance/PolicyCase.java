package dev.paddock.executor.tck.conformance;

import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.util.List;

/**
 * A policy that every backend is asked to enforce, and what can be observed where it is. The same data serve the backends that
 * run commands and those whose compiled profile is judged without running anything.
 *
 * <p>Whether a backend can keep a limit depends on the machine; what else it can keep depends on the backend alone.
 *
 * @param name a short one, unique; a row of the matrix
 * @param byMachine whether a backend may enforce it on one machine and refuse it on another
 * @param preparation makes the directories and the policy over them
 */
public record PolicyCase(String name, boolean byMachine, Preparation preparation) {

    /** Makes a policy, and the directories and files that it is about. */
    @FunctionalInterface
    public interface Preparation {
        /**
         * Makes them.
         *
         * @param ground where; the caller closes it
         * @return the policy, and what is to be observed, in this order
         * @throws IOException if a file cannot be made
         */
        Prepared on(PolicyFixture ground) throws IOException;
    }

    /**
     * A policy over directories that exist.
     *
     * @param policy the policy
     * @param observations what is to be observed, in this order. None destroys what a later one is about
     */
    public record Prepared(SandboxPolicy policy, List<Observation> observations) {
        /** Makes a value. */
        public Prepared {
            observations = List.copyOf(observations);
        }
    }

    static PolicyCase of(String name, Preparation preparation) {
        return new PolicyCase(name, false, preparation);
    }

    static PolicyCase byMachine(String name, Preparation preparation) {
        return new PolicyCase(name, true, preparation);
    }

    @Override
    public String toString() {
        return name;
    }
}
