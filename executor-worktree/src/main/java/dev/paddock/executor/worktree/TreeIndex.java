package dev.paddock.executor.worktree;

import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.Inotify;
import dev.paddock.executor.worktree.git.AlternateStores;
import dev.paddock.executor.worktree.git.RepositoryFinder;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.git.UserConfiguration;
import dev.paddock.executor.worktree.git.index.ObeyedNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A guard's view of a worktree: its protected paths, the directories that may be repositories, and their git
 * directories. Changes nothing.
 *
 * <p>Not safe for use by several threads; the guard holds its lock.
 */
final class TreeIndex implements AutoCloseable {
    private final GuardedPaths paths;
    private final Territory territory;
    private final UserConfiguration configuration;
    private final RepositoryWatch repositories;
    private final RepositoryFinder finder;
    private final DirectoryCache cache = new DirectoryCache();

    /** Walks the worktree. */
    private TreeIndex(GuardedPaths named, Territory territory, Map<String, String> environment, RepositoryWatch watch)
            throws IOException {
        this.territory = territory;
        this.repositories = watch;
        this.finder = new RepositoryFinder(territory);
        GitDirectories found = GitDirectories.of(named, watch.repositories(), finder, cache);
        this.configuration = UserConfiguration.read(territory, environment, found.repositories());
        Set<Path> targets = new HashSet<>(found.targets(configuration));
        targets.addAll(AlternateStores.of(found.byDirectory().values(), territory));
        targets.addAll(
                LinkTargets.of(named, watch.repositories(), found.byDirectory().keySet(), cache));
        this.paths = new GuardedPaths(
                named.root(), named.names(), named.linked(), new HashSet<>(), targets, configuration::targetsIn);
    }

    /**
     * Walks a worktree, and watches it until the result is closed.
     *
     * @param named its protected paths, without targets of links and of the user's configuration
     * @param own a directory that this JVM has created
     * @param environment of the user's git
     */
    static TreeIndex open(GuardedPaths named, Path own, Map<String, String> environment) throws IOException {
        Path root = named.root();
        ProtectedPaths names = named.names();
        Set<String> entries = new HashSet<>(names.names());
        entries.addAll(UserConfiguration.relativePaths(environment));
        Territory territory = new Territory(
                named.roots(),
                Set.copyOf(List.of(owner(root), owner(own))),
                new ObeyedNames(entries.stream()
                        .filter(name -> !GuardedPaths.isInDotGit(name))
                        .toList()),
                UserConfiguration.recordsMerges(environment));
        List<Path> watched = new ArrayList<>(List.of(root));
        watched.addAll(named.writable());
        Optional<Inotify> events = Inotify.open();
        try {
            RepositoryWatch watch = new RepositoryWatch(watched, new OwnEntries(entries), events);
            return new TreeIndex(named, territory, environment, watch);
        } catch (RuntimeException | IOException fault) {
            events.ifPresent(Inotify::close);
            throw fault;
        }
    }

    private static Integer owner(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid");
    }

    GuardedPaths paths() {
        return paths;
    }

    Territory territory() {
        return territory;
    }

    /** Returns the user's own configuration of git, as of the opening. */
    UserConfiguration configuration() {
        return configuration;
    }

    RepositoryWatch repositories() {
        return repositories;
    }

    DirectoryCache cache() {
        return cache;
    }

    /**
     * Makes the next examination read every directory again, unless it cannot have changed.
     *
     * @param quiet whether no command of any session can have run during an examination since the
     *     commands began; otherwise no examination reuses results of another
     */
    void examineAnew(boolean quiet) {
        if (quiet) {
            cache.refresh();
        } else {
            cache.forget();
        }
    }

    /**
     * Protects the files that programs obey in other sessions' worktrees inside this one; call it while no
     * command is live.
     */
    void protect(Set<Path> nested) {
        if (nested.equals(paths.nested())) {
            return;
        }
        paths.nested().retainAll(nested);
        paths.nested().addAll(nested);
        cache.forget();
        paths.targets()
                .addAll(LinkTargets.of(
                        paths,
                        repositories.repositories(),
                        gitDirectories().byDirectory().keySet(),
                        cache));
    }

    /** Protects the files that a configuration makes git run or read; call it while no command is live. */
    void protectTargets(UserConfiguration other) {
        if (paths.targets().addAll(gitDirectories().targets(other))) {
            cache.forget();
        }
    }

    GitDirectories gitDirectories() {
        return GitDirectories.of(paths, repositories.repositories(), finder, cache);
    }

    /** Returns the protected paths that exist or may exist, outside git directories. */
    Map<Path, Path> named() {
        return paths.named(repositories.repositories(), cache);
    }

    @Override
    public void close() {
        repositories.close();
    }
}
