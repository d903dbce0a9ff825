package dev.paddock.executor.sandbox.policy;

import dev.paddock.executor.UnsupportedPolicyException;
import java.util.List;

/**
 * A part of a policy that a backend cannot enforce.
 *
 * @param what the action and the value at fault, to follow "cannot": {@code "mount '/tmp'"}
 * @param why the reason, a clause
 * @param remedy what the user can do instead, an imperative clause without a final full stop
 */
public record Violation(String what, String why, String remedy) {

    /**
     * Returns a message for people.
     *
     * @return {@code "cannot mount '/tmp': it contains …; mount a subdirectory"}
     */
    public String text() {
        return "cannot " + what + ": " + why + "; " + remedy;
    }

    /**
     * Rejects a policy with a violation.
     *
     * @param backend the backend's name
     * @param violations all that were found
     * @throws UnsupportedPolicyException if there is at least one; it lists every one
     */
    public static void refuse(String backend, List<Violation> violations) {
        if (!violations.isEmpty()) {
            throw new UnsupportedPolicyException(
                    backend, violations.stream().map(Violation::text).distinct().toList());
        }
    }
}
