package dev.paddock.harness.files.workspace;

import dev.paddock.executor.pattern.Glob;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.files.TreeWalk;
import dev.paddock.harness.files.pattern.Patterns;
import java.util.List;

/** Matches the entries of a walk by several globs; none match everything. */
final class Globs {
    private final List<Glob> globs;

    Globs(List<String> patterns) {
        globs = patterns.stream().map(Patterns::glob).toList();
    }

    /** Matches a root that is a single file, by its name. */
    boolean match(String name) {
        return globs.isEmpty() || globs.stream().anyMatch(glob -> glob.matches(name, name));
    }

    boolean match(Location start, TreeWalk.Entry entry) {
        String above = String.join("/", start.resolved());
        String fromStart = entry.path().substring(above.isEmpty() ? 0 : above.length() + 1);
        return globs.isEmpty() || globs.stream().anyMatch(glob -> glob.matches(fromStart, entry.path()));
    }
}
