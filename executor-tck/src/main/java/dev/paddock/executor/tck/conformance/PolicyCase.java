package dev.paddock.executor.tck.conformance;

import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.util.List;

/**
 * A policy that every backend is asked to enforce, and the observations that show whether it does.
 * The same data serve the backends that run commands and those whose compiled profile is checked
 * without running anything.
 *
 * <p>Whether a backend can enforce a limit depends on the machine; whether it can enforce other
 * parts depends on the backend alone.
 *
 * @param name a short one, unique; a row of the matrix
 * @param byMachine whether a backend may enforce it on one machine and refuse it on another
 * @param preparation creates the directories and the policy for them
 * @since 0.1
 */
public record PolicyCase(String name, boolean byMachine, Preparation preparation) {

    /** Creates a policy with the directories and files that it names. */
    @FunctionalInterface
    public interface Preparation {
        /**
         * Creates the policy and its files.
         *
         * @param fixture the directories to use; the caller closes it
         * @return the policy, and the observations, in the order in which they are made
         * @throws IOException if a file cannot be made
         */
        Prepared on(PolicyFixture fixture) throws IOException;
    }

    /**
     * A policy over directories that exist.
     *
     * @param policy the policy
     * @param observations the observations, in the order in which they are made. None destroys the
     *     target of a later one
     */
    public record Prepared(SandboxPolicy policy, List<Observation> observations) {
        /** Takes a copy of the observations. */
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
