package dev.paddock.executor.worktree;

import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.process.io.Uninterruptibles;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.Inotify;
import dev.paddock.executor.worktree.git.AlternateStores;
import dev.paddock.executor.worktree.git.IndexRemarks;
import dev.paddock.executor.worktree.git.Repository;
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
            JournalPlace journals,
            Path quarantine,
            Map<String, String> environment)
            throws IOException {
        GuardedPaths named = new GuardedPaths(root, names, linked, Set.of(), Set.of(), repository -> Set.of());
        Journal journal = Journal.open(journals, root, named.commonDirectory(), named.roots());
        Optional<Inotify> events = Optional.empty();
        Optional<GuardStore> store = Optional.empty();
        try {
            events = Inotify.open();
            store = Optional.of(GuardStore.in(stateDirectory, journal.directory(), quarantine));
            return connected(named, store.get(), journal, events, journals.directory(), environment);
        } catch (RuntimeException | IOException fault) {
            events.ifPresent(Inotify::close);
            journal.close();
            store.ifPresent(GuardStore::close);
            throw fault;
        }
    }

    private static GuardParts connected(
            GuardedPaths named,
            GuardStore store,
            Journal journal,
            Optional<Inotify> events,
            Path journals,
            Map<String, String> environment)
            throws IOException {
        Path root = named.root();
        ProtectedPaths names = named.names();
        Set<String> entries = new HashSet<>(names.names());
        entries.addAll(UserConfiguration.relativePaths(environment));
        Territory territory = new Territory(
                named.roots(),
                Set.copyOf(List.of(owner(root), owner(store.directory()))),
                new ObeyedNames(entries.stream()
                        .filter(name -> !GuardedPaths.isInDotGit(name))
                        .toList()),
                UserConfiguration.recordsMerges(environment));
        RepositoryFinder finder = new RepositoryFinder(territory);
        List<Path> watched = new ArrayList<>(List.of(root));
        watched.addAll(named.writable());
        RepositoryWatch repositories = new RepositoryWatch(watched, new OwnEntries(entries), events);
        DirectoryCache cache = new DirectoryCache();
        GitDirectories found = GitDirectories.of(named, repositories.repositories(), finder, cache);
        UserConfiguration configuration = found.configuration(territory, environment);
        Set<Path> targets = new HashSet<>(found.targets(configuration));
        targets.addAll(AlternateStores.of(found.byDirectory().values(), territory));
        targets.addAll(LinkTargets.of(
                named, repositories.repositories(), found.byDirectory().keySet(), cache));
        GuardedPaths paths =
                new GuardedPaths(root, names, named.linked(), new HashSet<>(), targets, configuration::targetsIn);
        SettlementPasses passes = new SettlementPasses(paths, repositories, finder, cache);
        ReportedPaths reported = new ReportedPaths(root, names, configuration, cache);
        CurrentBaseline baseline = new CurrentBaseline(
                passes,
                store,
                journal,
                reported,
                new IndexRemarks(territory.obeyed()),
                new NeighbourTargets(journals, territory, environment));
        return new GuardParts(territory, store, journal, passes, baseline);
    }

    /**
     * The result of a settlement.
     *
     * @param notices a sentence for each file that was moved or restored, or that the user should check
     * @param poison the paths that could not be settled
     */
    record Outcome(List<String> notices, Poison poison) {}

    /**
     * Settles the worktree. Throws nothing.
     *
     * @param inherited the state that killed sessions have left
     */
    Outcome settle(Evidence evidence, Optional<Unsettled> inherited) {
        Repair repair = new Repair(passes.paths(), store, inherited);
        Baseline before = inherited.map(left -> left.snapshot().baseline()).orElse(baseline.named());
        GitBaseline gitBefore = inherited
                .map(left -> baseline.git().with(left.snapshot().git()))
                .orElse(baseline.git());
        RepositoryWatch repositories = passes.repositories();
        Settlement settlement =
                new Settlement(passes.paths(), territory, before, gitBefore, evidence, repair, repositories.own());
        GitSettlement git = new GitSettlement(
                territory,
                gitBefore,
                settlement,
                evidence,
                repair,
                baseline.remarks(),
                passes.cache(),
                repositories.since());
        Poison poison;
        try {
            GitDirectories left = passes.run(before, settlement, git, repair, evidence.isQuiet());
            repair.settle(baseline.changesOfReported(evidence.isQuiet()).stream());
            if (inherited.isEmpty()) { // otherwise the repositories are not known to be this session's
                baseline.rememberCreated(left, territory);
            }
            poison = new Poison(repair.stuck());
        } catch (RuntimeException | Error fault) {
            poison = Poison.by(passes.paths().root(), fault);
        } finally {
            passes.examineAnew(evidence.isQuiet());
        }
        return new Outcome(repair.notices(), poison);
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
