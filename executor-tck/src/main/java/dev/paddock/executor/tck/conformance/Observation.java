package dev.paddock.executor.tck.conformance;

import dev.paddock.executor.Guarantee;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Something that a command tries under a policy, and what comes of it.
 *
 * @param operation what it tries
 * @param target with what: a path on the command's side, an address, a number, whatever the operation says
 * @param host where the host has what the target names; empty if it is no path, or none of the host's
 * @param expectation what the policy says of it
 * @param insisted whether the policy insists. If not, what the executor does not {@linkplain #guarantee() claim} may be
 *     otherwise; what it claims may not
 */
public record Observation(
        Operation operation, String target, Optional<Path> host, Expectation expectation, boolean insisted) {

    /** On a file or directory of the host's. */
    static Observation of(Operation operation, String target, Path host, Expectation expectation) {
        return new Observation(operation, target, Optional.of(host), expectation, true);
    }

    /** On something else. */
    static Observation of(Operation operation, String target, Expectation expectation) {
        return new Observation(operation, target, Optional.empty(), expectation, true);
    }

    /** The same under a policy that does not insist on it. */
    Observation asFarAsPossible() {
        return new Observation(operation, target, host, expectation, false);
    }

    /**
     * What an executor claims that keeps this so.
     *
     * @return the guarantee; empty if it follows from none
     */
    public Optional<Guarantee> guarantee() {
        return switch (expectation) {
            case ALLOWED -> Optional.empty();
            case DENIED -> operation.guarantee();
            case KEPT -> Optional.of(Guarantee.PROTECTED_PATHS);
        };
    }

    @Override
    public String toString() {
        return operation + " " + target + " is to be " + expectation;
    }
}
