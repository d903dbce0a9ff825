package dev.paddock.executor.worktree;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.git.IndexRemarks;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.Territory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Takes the state of a worktree before commands, and settles the worktree against it: examines it until a pass finds
 * nothing to repair. Keeps the state that earlier commands and killed sessions left unsettled or unreported.
 *
 * <p>Not thread-safe; guarded by the guard's lock. All methods that settle require locked journals.
 */
final class Settler {
    private static final Logger LOG = LateLogger.of(Settler.class);

    /** Each pass confirms the previous one, and the third removal of a path is the last. */
    private static final int MAX_PASSES = 5;

    private final TreeIndex tree;
    private final GuardStore store;
    private final Journal journal;
    private final ReportedPaths reported;
    private final IndexRemarks remarks;
    private final NeighbourTargets neighbours;
    private Baseline named = Baseline.NONE;
    private GitBaseline git = GitBaseline.NONE;

    /** The roots of repositories before the commands and of those that this session's commands created. */
    private Set<Path> roots = Set.of();

    private final Set<Path> created = new HashSet<>();

    /** The state that killed sessions have left, until it is settled. */
    private Optional<KilledSessions> inherited = Optional.empty();

    /** The notices of settlements without a command, for the next result. */
    private List<String> overdue = List.of();

    private Poison poison = Poison.NONE;

    /** The poison that a result or a refusal has reported. */
    private Poison reportedPoison = Poison.NONE;

    Settler(TreeIndex tree, GuardStore store, Journal journal, NeighbourTargets neighbours) {
        this.tree = tree;
        this.store = store;
        this.journal = journal;
        this.reported = new ReportedPaths(tree);
        this.remarks = new IndexRemarks(tree.territory().obeyed());
        this.neighbours = neighbours;
    }

    /**
     * Takes the baseline before commands become live; the caller has locked the journal.
     *
     * @throws IOException if commands could work where nobody would find it
     */
    void take() throws IOException {
        Territory territory = tree.territory();
        RepositoryWatch repositories = tree.repositories();
        tree.protect(journal.nestedWorktrees());
        tree.examineAnew(!journal.isShared());
        neighbours.configuration().ifPresent(tree::protectTargetsOfOthers);
        if (!journal.hasLiveOthers()) {
            tree.protectTargets();
        }
        roots = repositories.repositories();
        created.retainAll(roots);
        GitBaseline current = git.next(tree.gitDirectories(), territory, tree.cache());
        current.update(remarks);
        reported.remember(repositories.repositories());
        Snapshot fresh = new Snapshot(paths(current), current.present(), repositories.closed(), Map.of());
        Snapshot before = journal.joined(fresh, store, territory);
        requireListed(before.closed().keySet());
        named = before.baseline();
        git = current.with(before.git());
        store.keepOriginals(List.of(named.states(), git.states()), tree.paths()::territory, journal::isJoined);
        journal.begin(new Snapshot(named, before.git(), before.closed(), store.copies()), store);
        tree.examineAnew(!journal.isShared()); // another session's command may have run meanwhile
        repositories.begin(before.closed());
        repositories.own().begin(!journal.isShared());
    }

    private static void requireListed(Set<Path> closed) throws IOException {
        Optional<Path> unlisted =
                closed.stream().filter(ClosedDirectories::hidesChanges).sorted().findFirst();
        if (unlisted.isPresent()) {
            throw new IOException("the directory '" + PathBytes.escaped(unlisted.get())
                    + "' can be entered but not listed, so that nobody would find what a command leaves in it;"
                    + " let it be listed (chmod u+r), or not entered (chmod u-x)");
        }
    }

    /** Returns the present state of the protected paths, including the links on the paths of pointers. */
    private Baseline paths(GitBaseline current) {
        Map<Path, Path> guarded = new HashMap<>(tree.named());
        Baseline next = named.next(guarded);
        Set<Path> links = new Ways(tree).links(next, current.present().values());
        links.forEach(link -> guarded.putIfAbsent(link, tree.paths().root()));
        return links.isEmpty() ? next : named.next(guarded);
    }

    /**
     * Returns the repositories that commands of this session have not created. A mount in a created one would prevent a
     * later command from removing it; settlement protects it.
     */
    Set<Path> withoutCreated(Set<Path> repositories) {
        Set<Path> others = new TreeSet<>(repositories);
        others.removeAll(created);
        return others;
    }

    /** Settles the changes of killed sessions. */
    void recover() throws IOException {
        inherited = journal.unsettled(tree.territory());
        inherited.ifPresent(left -> {
            tree.protect(journal.nestedWorktrees());
            store.adopt(left.snapshot().originals(), left.snapshot().states());
            tree.repositories().resume(left.snapshot().closed(), left.since());
            add(settleAgain());
        });
    }

    /**
     * Settles the worktree before a command begins.
     *
     * @throws SpawnException if that fails
     */
    void requireSettled() throws IOException {
        if (!poison.isEmpty() && inherited.isEmpty()) {
            add(settleAgain());
        }
        if (poison.isEmpty() || inherited.isPresent()) {
            poison = Poison.NONE;
            recover();
        }
        requireNoPoison();
    }

    /**
     * Refuses a command in a worktree that could not be settled.
     *
     * @throws SpawnException if a path could not be settled
     */
    void requireNoPoison() {
        if (!poison.isEmpty()) {
            reportedPoison = poison;
            throw new SpawnException(poison.refusal(tree.paths().root()));
        }
    }

    /** Settles the worktree while no command is live. */
    private List<String> settleAgain() {
        List<String> notices = settle(false, List.of());
        if (poison.isEmpty()) {
            journal.settled();
        }
        return notices;
    }

    /**
     * Settles the worktree. Throws nothing.
     *
     * @param quiet whether only one command has run and all its processes have exited, so that nobody changes the
     *     worktree during the examination
     * @param mounted the plans of all live commands; empty if others may be live, of other sessions
     */
    List<String> settle(boolean quiet, List<ProtectionPlan> mounted) {
        SettlementProgress progress = new SettlementProgress(inherited);
        Repairer repairer = new Repairer(tree.paths(), store, progress);
        Baseline before = inherited.map(left -> left.snapshot().baseline()).orElse(named);
        GitBaseline gitBefore =
                inherited.map(left -> git.with(left.snapshot().git())).orElse(git);
        PathExaminer paths = new PathExaminer(tree, before, gitBefore, quiet, mounted, progress);
        GitExaminer directories = new GitExaminer(tree, gitBefore, quiet, paths, progress, remarks);
        try {
            GitDirectories left = settle(paths, directories, repairer, quiet);
            repairer.settle(reported.changes(tree.repositories().repositories(), quiet).stream());
            if (inherited.isEmpty()) { // otherwise another session may have created the repositories
                rememberCreated(left);
            }
            poison = new Poison(progress.stuck());
        } catch (RuntimeException | Error fault) {
            poison = Poison.by(tree.paths().root(), fault);
        } finally {
            tree.examineAnew(quiet);
        }
        if (poison.isEmpty()) {
            inherited = Optional.empty();
        }
        return progress.notices(store.quarantine());
    }

    /** Records the repositories and entries that have appeared since the baseline was taken. */
    private void rememberCreated(GitDirectories left) {
        git = git.settled(left, tree.territory(), tree.cache());
        tree.repositories().own().settled();
        Set<Path> now = tree.repositories().repositories();
        now.removeAll(roots);
        created.addAll(now);
    }

    /**
     * Examines the worktree and repairs the findings, until there are none.
     *
     * @return the git directories of the last examination
     */
    private GitDirectories settle(PathExaminer paths, GitExaminer git, Repairer repairer, boolean quiet) {
        RepositoryWatch repositories = tree.repositories();
        GitDirectories directories;
        boolean changed;
        int passes = 0;
        do {
            repositories.flush();
            tree.examineAnew(quiet);
            directories = tree.gitDirectories();
            changed = pass(paths, git, repairer, directories);
            passes++;
        } while (changed && passes < MAX_PASSES);
        repairer.settle(git.lost());
        repairer.settle(repositories.setId().take());
        if (changed) {
            repairer.settle(Stream.of(new WorktreeFinding.Unexamined(
                    tree.paths().root(), "a live command changes it faster than it can be settled")));
        }
        return directories;
    }

    private boolean pass(PathExaminer paths, GitExaminer git, Repairer repairer, GitDirectories directories) {
        boolean changed = false;
        for (Map.Entry<Path, Path> path : paths.all().entrySet()) {
            changed |= settle(
                    repairer, path.getKey(), () -> paths.examine(path.getKey(), path.getValue(), directories).stream());
        }
        for (Map.Entry<Path, Repository> directory : git.all(directories).entrySet()) {
            changed |= settle(repairer, directory.getKey(), () -> git.examine(directory.getValue(), directories));
        }
        changed |= repairer.settle(tree.repositories().inputs().find(paths.progress()));
        for (Path closed : tree.repositories().closedByCommands()) {
            if (repairer.settle(Stream.of(new WorktreeFinding.Closed(closed)))) {
                tree.repositories().search(closed);
                changed = true;
            }
        }
        return changed;
    }

    /** Settles one path; its fault leaves the others protected. */
    private static boolean settle(Repairer repairer, Path path, Supplier<Stream<WorktreeFinding>> examination) {
        try {
            return repairer.settle(examination.get());
        } catch (RuntimeException | StackOverflowError fault) {
            LOG.log(Level.WARNING, "A protected path could not be settled", fault);
            return repairer.settle(
                    Stream.of(new WorktreeFinding.Unexamined(path, "it could not be examined: " + fault)));
        }
    }

    /** Poisons the worktree because of a fault, and returns the notice. */
    String fail(Throwable fault) {
        poison = Poison.by(tree.paths().root(), fault);
        return poisonNotice();
    }

    Poison poison() {
        return poison;
    }

    void add(Collection<String> notices) {
        Set<String> all = new LinkedHashSet<>(overdue);
        all.addAll(notices);
        overdue = List.copyOf(all);
    }

    void logUnreported() {
        overdue().forEach(notice -> LOG.log(Level.WARNING, notice));
        if (!poison.isEmpty() && !poison.stuck().equals(reportedPoison.stuck())) {
            LOG.log(Level.WARNING, poisonNotice());
        }
    }

    /** Returns the notice about the poison, for a result. */
    String poisonNotice() {
        reportedPoison = poison;
        return poison.notice();
    }

    /** Returns the notices for the next result, once. */
    List<String> overdue() {
        List<String> notices = new ArrayList<>(overdue);
        overdue = List.of();
        return notices;
    }
}
