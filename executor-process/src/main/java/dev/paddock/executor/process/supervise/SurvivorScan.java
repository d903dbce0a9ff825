package dev.paddock.executor.process.supervise;

import dev.paddock.executor.CleanupReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Who of a tree was found after its main process's end, and who of them is still there. */
final class SurvivorScan {
    private final ProcessTree tree;
    private final Set<Long> seen = new TreeSet<>();
    private Set<Long> running = Set.of();
    private boolean known = true;

    SurvivorScan(ProcessTree tree) {
        this.tree = tree;
    }

    /** Looks again; whether anybody is there. */
    boolean look() {
        Optional<Set<Long>> found = tree.leftovers();
        known = found.isPresent();
        running = found.orElse(Set.of());
        seen.addAll(running);
        return !running.isEmpty();
    }

    /** What became of those that were seen. */
    CleanupReport ended() {
        if (!known) {
            return new CleanupReport(OptionalInt.empty(), List.of());
        }
        List<String> notices = running.isEmpty()
                ? List.of()
                : List.of("Processes that the command left running could not be ended: " + running + ".");
        return new CleanupReport(OptionalInt.of(seen.size() - running.size()), notices);
    }
}
