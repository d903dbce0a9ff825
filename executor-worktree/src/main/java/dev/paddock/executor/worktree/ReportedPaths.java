package dev.paddock.executor.worktree;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.Fingerprint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reports files at the roots of the worktree and its repositories that programs of the host obey, but that commands may
 * change, since that is ordinary work.
 */
final class ReportedPaths {
    private static final String ATTRIBUTES = ".gitattributes";

    private final Set<String> names = new TreeSet<>(ReportedNames.all());
    private final Path root;
    private final TreeIndex tree;
    private final DirectoryCache cache;
    private Map<Path, Known> before = Map.of();

    /** The user's drivers as of {@link #before}. */
    private Set<String> usersDrivers = Set.of();

    private boolean remembers;

    /**
     * The state of a path.
     *
     * @param drivers the user's drivers that it names, if it is a {@code .gitattributes}
     */
    private record Known(Fingerprint state, Set<String> drivers) {
        static final Known ABSENT = new Known(Fingerprint.ABSENT, Set.of());
    }

    /**
     * Creates the reports for a worktree.
     *
     * @param tree its cache is refreshed before each reading; its protected paths are settled instead of reported
     */
    ReportedPaths(TreeIndex tree) {
        this.root = tree.paths().root();
        names.add(ATTRIBUTES);
        names.removeAll(tree.paths().names().names());
        this.tree = tree;
        this.cache = tree.cache();
    }

    /** Records the current state of the paths at the roots of the worktree and of these repositories. */
    void remember(Collection<Path> repositories) {
        Set<String> now = tree.configuration().drivers();
        if (!now.equals(usersDrivers)) {
            usersDrivers = now;
            before = Map.of(); // attributes that name the new ones are no command's
        }
        before = read(repositories, true);
        remembers = true;
    }

    /**
     * Returns a remark on each path that has changed since the last call of either method.
     *
     * @param quiet whether no other command can have run during the last one
     */
    List<WorktreeFinding> changes(Collection<Path> repositories, boolean quiet) {
        Map<Path, Known> now = read(repositories, quiet);
        List<WorktreeFinding> remarks = new ArrayList<>();
        new TreeMap<>(now).forEach((path, state) -> {
            Known last = before.getOrDefault(path, Known.ABSENT);
            if (path.endsWith(ATTRIBUTES)) {
                Set<String> drivers = new TreeSet<>(state.drivers());
                drivers.removeAll(last.drivers());
                if (!drivers.isEmpty()) {
                    remarks.add(remark(
                            path, "it makes git run programs of your configuration, " + String.join(", ", drivers)));
                }
            } else if (!last.state().isSame(state.state(), Set.of())) {
                remarks.add(remark(path, ReportedNames.reason(path)));
            }
        });
        before = now;
        return remarks;
    }

    private WorktreeFinding remark(Path path, String reason) {
        String sentence = "'" + PathBytes.escaped(path) + "' "
                + (remembers
                        ? "was created or changed while a command ran: "
                        : "may have been changed by a command of the session that was killed: ")
                + reason + ". It stays; review it.";
        return new WorktreeFinding.Remark(path, sentence);
    }

    private Map<Path, Known> read(Collection<Path> repositories, boolean quiet) {
        Set<Path> roots = new HashSet<>(repositories);
        roots.add(root);
        Map<Path, Known> states = new HashMap<>();
        for (Path directory : roots) {
            CachedDirectory entries = cache.at(directory);
            for (String name : entries.among(names)) {
                Path path = directory.resolve(name);
                Known known = known(path, quiet);
                if (!known.state().isAbsent()) {
                    states.put(path, known);
                }
            }
        }
        return states;
    }

    private Known known(Path path, boolean quiet) {
        Known last = before.getOrDefault(path, Known.ABSENT);
        Fingerprint now = last.state().again(path, quiet);
        return now.equals(last.state())
                ? last
                : new Known(
                        now, path.endsWith(ATTRIBUTES) ? tree.configuration().driversNamedBy(path) : Set.of());
    }
}
