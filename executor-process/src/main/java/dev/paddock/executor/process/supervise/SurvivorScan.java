package dev.paddock.executor.process.supervise;

import dev.paddock.executor.CleanupReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Records the processes of a tree that were found after the main process's exit, and which of them still run. */
final class SurvivorScan {
    private final ProcessTree tree;
    private final Set<Long> seen = new TreeSet<>();
    private Set<Long> running = Set.of();
    private boolean known = true;

    SurvivorScan(ProcessTree tree) {
        this.tree = tree;
    }

    /** Scans again; returns whether any process is left. */
    boolean scan() {
        Optional<Set<Long>> found = tree.leftovers();
        known = found.isPresent();
        running = found.orElse(Set.of());
        seen.addAll(running);
        return !running.isEmpty();
    }

    /** Returns whether the last scan found any. */
    boolean anyRunning() {
        return !running.isEmpty();
    }

    /** Returns the number of found processes that have exited, and a notice about those that still run. */
    CleanupReport ended() {
        if (!known) {
            return CleanupReport.of(OptionalInt.empty(), List.of());
        }
        List<String> notices = running.isEmpty()
                ? List.of()
                : List.of("Processes that the command left running could not be ended: " + running + ".");
        return CleanupReport.of(OptionalInt.of(seen.size() - running.size()), notices);
    }
}
