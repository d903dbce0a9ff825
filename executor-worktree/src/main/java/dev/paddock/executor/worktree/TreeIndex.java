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
 * <p>Not thread-safe; guarded by the guard's lock.
 */
final class TreeIndex implements AutoCloseable {
    private final GuardedPaths paths;
    private final Territory territory;
    private final Map<String, String> environment;
    private final RepositoryWatch repositories;
    private final RepositoryFinder finder;
    private final DirectoryCache cache = new DirectoryCache();

    /** The targets that other repositories name; they stay as long as this session is open. */
    private final Set<Path> namedElsewhere = new HashSet<>();

    private UserConfiguration configuration;

    private TreeIndex(GuardedPaths named, Territory territory, Map<String, String> environment, RepositoryWatch watch)
            throws IOException {
        this.territory = territory;
        this.environment = Map.copyOf(environment);
        this.repositories = watch;
        this.finder = new RepositoryFinder(territory);
        this.configuration = UserConfiguration.read(territory, environment, List.of());
        this.paths = new GuardedPaths(
                named.root(),
                named.names(),
                named.linked(),
                new HashSet<>(),
                new HashSet<>(),
                repository -> configuration.targetsIn(repository));
        protectTargets();
    }

    /**
     * Walks a worktree, and watches it until the result is closed.
     *
     * @param named its protected paths, without targets of links and of the user's configuration
     * @param own a directory that this JVM has created
     * @param environment the user's git's
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

    /** Returns the user's own configuration of git, as of the last {@link #protectTargets()}. */
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
     * @param quiet whether no command of any session can have run during an examination since the commands began;
     *     otherwise no examination reuses results of another
     */
    void examineAnew(boolean quiet) {
        if (quiet) {
            cache.refresh();
        } else {
            cache.forget();
        }
    }

    /**
     * Protects the files that programs obey in nested worktrees of other sessions; call it while no command is live.
     */
    void protect(Set<Path> nested) {
        if (nested.equals(paths.nested())) {
            return;
        }
        paths.nested().retainAll(nested);
        paths.nested().addAll(nested);
        cache.forget();
        paths.targets().addAll(linkTargets(paths, gitDirectories(), cache));
    }

    /**
     * Protects exactly the files that the user's configuration, links and alternates name now; call it while no command
     * of any session is live, which could have written these.
     */
    void protectTargets() {
        GitDirectories directories = gitDirectories();
        configuration = configuration.again(environment, directories.repositories());
        Set<Path> found = targets(configuration, directories, cache);
        paths.targets().clear();
        paths.targets().addAll(found);
    }

    /** Protects the files that other repositories' configuration makes git run or read. */
    void protectTargetsOfOthers(UserConfiguration elsewhere) {
        namedElsewhere.addAll(gitDirectories().targets(elsewhere));
        paths.targets().addAll(namedElsewhere);
    }

    /**
     * Returns whether a file is, or lies in, one that the user's configuration, links or alternates name now; call it
     * while no command is live.
     */
    boolean isTargetNow(Path path) {
        DirectoryCache fresh = new DirectoryCache();
        GitDirectories directories = GitDirectories.of(paths, repositories.repositories(), finder, fresh);
        UserConfiguration now = configuration.again(environment, directories.repositories());
        return targets(now, directories, fresh).stream().anyMatch(path::startsWith);
    }

    private Set<Path> targets(UserConfiguration now, GitDirectories directories, DirectoryCache examined) {
        Set<Path> found = new HashSet<>(namedElsewhere);
        found.addAll(directories.targets(now));
        found.addAll(linkTargets(paths.with(found), directories, examined));
        found.addAll(AlternateStores.of(directories.byDirectory().values(), territory));
        return found;
    }

    private Set<Path> linkTargets(GuardedPaths from, GitDirectories directories, DirectoryCache examined) {
        return LinkTargets.of(
                from, repositories.repositories(), directories.byDirectory().keySet(), examined);
    }

    GitDirectories gitDirectories() {
        return GitDirectories.of(paths, repositories.repositories(), finder, cache);
    }

    /** Returns the protected paths outside git directories that may exist. */
    Map<Path, Path> named() {
        return paths.named(repositories.repositories(), cache);
    }

    @Override
    public void close() {
        repositories.close();
    }
}
