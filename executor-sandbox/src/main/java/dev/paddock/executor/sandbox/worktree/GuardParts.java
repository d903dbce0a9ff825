package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.process.io.Uninterruptibles;
import dev.paddock.executor.sandbox.worktree.files.DirectoryCache;
import dev.paddock.executor.sandbox.worktree.files.Inotify;
import dev.paddock.executor.sandbox.worktree.git.Repository;
import dev.paddock.executor.sandbox.worktree.git.RepositoryFinder;
import dev.paddock.executor.sandbox.worktree.git.Territory;
import dev.paddock.executor.sandbox.worktree.git.UserConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The parts of a guard, opened and closed together. */
record GuardParts(
        Territory territory, GuardStore store, Journal journal, SettlementPasses passes, CurrentBaseline baseline)
        implements AutoCloseable {

    /**
     * Opens the parts; the caller closes them.
     *
     * @param linked the repository behind the worktree's {@code .git} file as of now: a command may
     *     change the file later
     */
    static GuardParts open(
            Path root,
            ProtectedPaths names,
            Optional<Repository> linked,
            Path stateDirectory,
            Path journals,
            Path quarantine,
            Map<String, String> environment)
            throws IOException {
        Path common = linked.map(Repository::commonDirectory).orElse(root.resolve(".git"));
        Journal journal = Journal.open(journals, root, common);
        Optional<Inotify> events = Optional.empty();
        Optional<GuardStore> store = Optional.empty();
        try {
            events = Inotify.open();
            store = Optional.of(GuardStore.in(stateDirectory, journal.directory(), quarantine));
            return connected(root, names, linked, store.get(), journal, events, environment);
        } catch (RuntimeException | IOException fault) {
            events.ifPresent(Inotify::close);
            journal.close();
            store.ifPresent(GuardStore::close);
            throw fault;
        }
    }

    private static GuardParts connected(
            Path root,
            ProtectedPaths names,
            Optional<Repository> linked,
            GuardStore store,
            Journal journal,
            Optional<Inotify> events,
            Map<String, String> environment)
            throws IOException {
        GuardedPaths named = new GuardedPaths(root, names, linked, Set.of(), repository -> Set.of());
        Territory territory = new Territory(named.roots(), Set.copyOf(List.of(owner(root), owner(store.directory()))));
        RepositoryFinder finder = new RepositoryFinder(territory);
        List<Path> watched = new ArrayList<>(List.of(root));
        watched.addAll(named.writable());
        Set<String> entries = new HashSet<>(names.names());
        entries.addAll(UserConfiguration.relativePaths(environment));
        RepositoryWatch repositories = new RepositoryWatch(watched, new OwnEntries(entries), events);
        DirectoryCache cache = new DirectoryCache();
        GitDirectories found = GitDirectories.of(named, repositories.repositories(), finder, cache);
        UserConfiguration configuration = found.configuration(territory, environment);
        GuardedPaths paths =
                new GuardedPaths(root, names, linked, found.targets(configuration), configuration::targetsIn);
        SettlementPasses passes = new SettlementPasses(paths, repositories, finder, cache);
        ReportedPaths reported = new ReportedPaths(root, names, configuration, cache);
        return new GuardParts(territory, store, journal, passes, new CurrentBaseline(passes, store, journal, reported));
    }

    private static Integer owner(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid");
    }

    /** Ends the watch while it removes the files: the kernel takes 10 to 20 ms to end one. */
    @Override
    public void close() {
        Thread unwatching = DaemonThreads.platform("paddock-unwatch").start(passes.repositories()::close);
        try {
            store.close();
        } finally {
            try {
                journal.close();
            } finally {
                Uninterruptibles.join(unwatching);
            }
        }
    }
}
