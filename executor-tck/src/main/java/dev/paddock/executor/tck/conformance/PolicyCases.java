package dev.paddock.executor.tck.conformance;

import java.util.List;
import java.util.stream.Stream;

/**
 * Lists the rows of the conformance matrix.
 *
 * @since 0.1
 */
public final class PolicyCases {
    private PolicyCases() {}

    /**
     * Returns every case.
     *
     * @return the cases in the order of the matrix's rows, the same on each call
     */
    public static List<PolicyCase> all() {
        return Stream.of(WorktreeCases.all(), ProtectionCases.all(), ReachCases.all())
                .flatMap(List::stream)
                .toList();
    }
}
