package dev.paddock.executor.tck.conformance;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lists the rows of the conformance matrix.
 *
 * @since 0.1
 */
public final class PolicyCases {
    /** Of each mechanism of a sandbox one case, or several where it depends on the user's privileges. */
    private static final Set<String> OF_EACH_MECHANISM = Set.of(
            "the defaults",
            "worktree at another path",
            "read-write mount",
            "mount over a system directory",
            "read-only mount in a read-write one",
            "hidden files",
            "unconfined",
            "protected paths",
            "network off",
            "network open",
            "network of allowed hosts",
            "unix sockets off",
            "memory limit",
            "CPU limit",
            "process limit",
            "file size limit",
            "limits, best effort");

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

    /**
     * Returns the cases of a further run, which shows what depends on the user's privileges.
     *
     * @return some of the cases, in the same order
     */
    public static List<PolicyCase> ofEachMechanism() {
        return all().stream()
                .filter(policyCase -> OF_EACH_MECHANISM.contains(policyCase.name()))
                .toList();
    }
}
