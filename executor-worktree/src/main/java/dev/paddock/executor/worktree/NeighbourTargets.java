package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.git.LinkedGitDirectory;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.RepositoryFinder;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.git.UserConfiguration;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds files of this worktree that other repositories' configuration makes git run or read, such as {@code
 * core.hooksPath = ../tools/hooks}. Covers only repositories with a session; no others are known.
 *
 * <p>Not thread-safe; guarded by the guard's lock.
 */
final class NeighbourTargets {
    private static final Logger LOG = LateLogger.of(NeighbourTargets.class);

    private final Journals journals;
    private final Territory territory;
    private final Map<String, String> environment;

    /** The journals as of the last search for repositories. */
    private Set<Path> known = Set.of();

    private List<Repository> repositories = List.of();

    /**
     * Creates a search.
     *
     * @param territory the worktree's
     * @param environment the user's git's
     */
    NeighbourTargets(Journals journals, Territory territory, Map<String, String> environment) {
        this.journals = journals;
        this.territory = territory;
        this.environment = environment;
    }

    /** Returns the present configuration of the repositories with a session; empty if there are none. */
    Optional<UserConfiguration> configuration() throws IOException {
        Set<Path> now = new HashSet<>(journals.all());
        if (!now.equals(known)) {
            repositories = search();
            known = now;
        }
        return repositories.isEmpty()
                ? Optional.empty()
                : Optional.of(UserConfiguration.read(territory, environment, repositories));
    }

    private List<Repository> search() throws IOException {
        List<Repository> found = new ArrayList<>();
        for (Path guarded : journals.guarded().values()) {
            Path worktree = Journals.worktree(guarded);
            if (territory.roots().stream().noneMatch(worktree::startsWith)) {
                found.addAll(repositories(worktree));
            }
        }
        return found;
    }

    /** Returns the repositories of a worktree: its own, and those below. */
    private static Collection<Repository> repositories(Path worktree) {
        List<Repository> repositories = new ArrayList<>();
        try {
            LinkedGitDirectory.of(worktree).ifPresent(repositories::add);
        } catch (IllegalArgumentException damaged) {
            LOG.log(Level.DEBUG, "{0} is no repository: {1}", worktree, damaged.getMessage());
        }
        RepositoryFinder finder = new RepositoryFinder(new Territory(List.of(worktree), Set.of()));
        RepositoryWatch search = new RepositoryWatch(List.of(worktree), new OwnEntries(Set.of()), Optional.empty());
        try (search) {
            repositories.addAll(GitDirectories.in(search.repositories(), finder, new DirectoryCache())
                    .repositories());
        }
        return repositories;
    }
}
