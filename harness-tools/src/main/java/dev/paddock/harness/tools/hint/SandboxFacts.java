package dev.paddock.harness.tools.hint;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.Set;

/**
 * The facts about the sandbox that commands run in.
 *
 * @param policy what it grants
 * @param guarantees what the executor enforces
 * @param searchPath the {@code PATH} of the host
 * @param seesHostPaths whether commands see programs at the host's paths; false in containers
 */
public record SandboxFacts(SandboxPolicy policy, Set<Guarantee> guarantees, String searchPath, boolean seesHostPaths) {

    /** Creates the facts. */
    public SandboxFacts {
        guarantees = Set.copyOf(guarantees);
    }

    /** Returns whether something is confined: only then does an option grant more. */
    boolean confines() {
        return guarantees.contains(Guarantee.READ_CONFINED) || guarantees.contains(Guarantee.WRITE_CONFINED);
    }
}
