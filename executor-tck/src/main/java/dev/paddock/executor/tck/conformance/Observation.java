package dev.paddock.executor.tck.conformance;

import dev.paddock.executor.Guarantee;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;

/**
 * An operation that a command attempts under a policy, and its expected result.
 *
 * @param operation what it attempts
 * @param target the operation's argument: a path on the command's side, an address, a number,
 *     depending on the operation
 * @param host the host's path of the target; empty if the target is no path, or not one of the
 *     host's
 * @param expectation the result that the policy requires
 * @param insisted whether the policy requires the result. If not, it may differ if the executor does
 *     not {@linkplain #guarantee() claim} the guarantee; otherwise it must not
 * @since 0.1
 */
public record Observation(
        Operation operation, String target, Optional<Path> host, Expectation expectation, boolean insisted) {

    /** Returns an observation of a file or directory of the host's. */
    static Observation of(Operation operation, String target, Path host, Expectation expectation) {
        return new Observation(operation, target, Optional.of(host), expectation, true);
    }

    /** Returns an observation of any other target. */
    static Observation of(Operation operation, String target, Expectation expectation) {
        return new Observation(operation, target, Optional.empty(), expectation, true);
    }

    /** Returns the same observation under a policy that does not require it. */
    Observation asFarAsPossible() {
        return new Observation(operation, target, host, expectation, false);
    }

    /**
     * Returns the guarantee that an executor claims if it ensures this result.
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

    /**
     * Returns whether one command makes this observation and the one before it: both are attempts at
     * files with the same expectation. The entries of a directory change with the attempts in it, and the report of
     * what was restored is of a whole command.
     */
    boolean joins(Observation before) {
        return expectation == before.expectation
                && expectation != Expectation.KEPT
                && isOfFile()
                && before.isOfFile()
                && (expectation == Expectation.DENIED
                        || (operation != Operation.LIST && before.operation != Operation.LIST));
    }

    private boolean isOfFile() {
        return operation != Operation.COMMIT
                && operation
                        .guarantee()
                        .filter(EnumSet.of(Guarantee.READ_CONFINED, Guarantee.WRITE_CONFINED)::contains)
                        .isPresent();
    }

    @Override
    public String toString() {
        return operation + " " + target + " is to be " + expectation;
    }
}
