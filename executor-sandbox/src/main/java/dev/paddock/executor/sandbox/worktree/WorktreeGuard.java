package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.sandbox.worktree.git.RepositoryFinder;
import dev.paddock.executor.sandbox.worktree.git.Territory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps the protected paths of one worktree, and of every repository in it, unchanged while
 * commands run.
 *
 * <p>{@link #plan()} lists the mounts with which a sandbox can prevent changes. A mount proves
 * nothing: when a program of the host renames a file over a mount point, the kernel takes the mount
 * off. So the guard examines every path, mounted or not, before a command's result is reported:
 * files that a command has added are <b>moved, never deleted</b>, to a quarantine; files that it
 * has changed are moved there too, and the originals restored. What cannot be read counts as
 * changed. A repository that a command creates stays usable: its configuration and sample hooks
 * stay, executable hooks are moved, and settings that make git run programs are reported.
 *
 * <p>If a path can neither be moved nor renamed, or a live command creates it again each time, the
 * worktree is <b>poisoned</b>: all commands have to be ended ({@link Command#mustEndAll}), and no
 * other begins until the path is gone.
 *
 * <p>Changes made while no command runs are the user's own and stay. While a command runs, the
 * guard cannot distinguish the user's changes from the command's, except inside a mount.
 *
 * <p>Safe for use by several threads.
 */
public final class WorktreeGuard implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WorktreeGuard.class.getName());

    /** Each pass confirms the result of the one before, and the third removal is the last. */
    private static final int MOST_PASSES = 5;

    private final GuardedPaths paths;
    private final MountPlanner mounts;
    private final GuardStore store;
    private final RepositoryWatch repositories;
    private final Set<Command> live = new HashSet<>();
    private final Territory territory;
    private final RepositoryFinder finder;
    private Baseline baseline = Baseline.NONE;
    private GitBaseline gitBaseline = GitBaseline.NONE;

    /** Whether only one command has begun since no command was live. */
    private boolean alone;

    private final Optional<Journal> journal;

    /** What a killed session has left, until it is settled. */
    private Optional<Journal.Unsettled> inherited = Optional.empty();

    /** The notices of what was settled for a killed session, for the next result. */
    private List<String> overdue = List.of();

    private Poison poison = Poison.NONE;

    private WorktreeGuard(Path root, ProtectedPaths names, GuardStore store, Optional<Journal> journal)
            throws IOException {
        this.journal = journal;
        // The .git file as of the guard's opening: a command may change it later.
        GuardedPaths named = new GuardedPaths(root, names, GitLayout.of(root).filter(GitLayout::linked), Set.of());
        this.territory = new Territory(
                named.roots(), new HashSet<>(List.of((Integer) Files.getAttribute(root, "unix:uid"), (Integer)
                        Files.getAttribute(store.markers(), "unix:uid"))));
        this.finder = new RepositoryFinder(territory);
        this.store = store;
        this.repositories = new RepositoryWatch(root, store.markers());
        GitDirectories found = GitDirectories.of(named, repositories.repositories(), finder);
        this.paths = new GuardedPaths(root, names, named.linked(), found.targets(territory));
        this.mounts = new MountPlanner(paths);
        recover();
    }

    /**
     * Starts to guard a worktree. Walks it once.
     *
     * @param root the worktree, its real path
     * @param names the names to protect; a linked worktree's {@code .git} file and the
     *     configuration behind it are always protected
     * @param stateDirectory an existing directory of the executor's, outside the worktree, that no
     *     command can access; originals are kept below it until the guard is closed
     * @param quarantine the directory that receives files which commands add; created when it is
     *     needed, and left for the user
     * @return the guard; the caller closes it
     * @throws IllegalArgumentException if the worktree's {@code .git} file leads to a directory of
     *     another worktree
     */
    public static WorktreeGuard open(Path root, ProtectedPaths names, Path stateDirectory, Path quarantine) {
        try {
            return open(root, names, stateDirectory, Journals.standard(), quarantine);
        } catch (IOException fault) {
            throw new UncheckedIOException("the worktree '" + root + "' cannot be guarded", fault);
        }
    }

    static WorktreeGuard open(Path root, ProtectedPaths names, Path stateDirectory, Path journals, Path quarantine) {
        Optional<Journal> journal = Optional.empty();
        try {
            journal = Journal.open(journals, root);
            GuardStore store = GuardStore.in(stateDirectory, journal.map(Journal::directory), quarantine);
            return new WorktreeGuard(root, names, store, journal);
        } catch (RuntimeException fault) {
            journal.ifPresent(Journal::close);
            throw fault;
        } catch (IOException fault) {
            throw new UncheckedIOException("the worktree '" + root + "' cannot be guarded", fault);
        }
    }

    /**
     * Returns the mounts for the next command. Checks a few files, without a walk.
     *
     * @return the plan
     */
    public synchronized ProtectionPlan plan() {
        repositories.poll();
        return mounts.plan(guardedPaths().keySet());
    }

    /**
     * Returns the paths that no command may change, for a sandbox that denies by path: it can deny
     * a path before a file exists there, which a mount cannot. Checks a few files, without a walk.
     *
     * @return absolute paths, in order, whether they exist or not; for a link also its target. The
     *     {@code .git} of a directory that is no repository is not among them: a command may create
     *     one
     */
    public synchronized List<Path> refusable() {
        repositories.poll();
        Set<Path> refusable = new TreeSet<>();
        guardedPaths().forEach((path, owner) -> {
            if (!path.equals(owner) || Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                refusable.add(path);
                mounts.mountable(path).ifPresent(refusable::add);
            }
        });
        return new ArrayList<>(refusable);
    }

    /**
     * Returns the git directories of the worktree, if they stand outside it.
     *
     * @return the git directories as of the guard's opening; empty if there are none outside
     */
    public Optional<LinkedGit> linkedGit() {
        return paths.linked().map(layout -> new LinkedGit(layout.gitDirectory(), layout.commonDirectory()));
    }

    /**
     * Git directories outside the worktree.
     *
     * @param gitDirectory the worktree's own
     * @param commonDirectory the one that it shares with other worktrees; the same if it shares
     *     none
     */
    public record LinkedGit(Path gitDirectory, Path commonDirectory) {}

    /**
     * Begins a command that is about to start.
     *
     * @param mounted the plan whose read-only paths the command's sandbox really mounts read-only;
     *     {@link ProtectionPlan#NONE} if it mounts none
     * @return the command, to be settled after it has ended
     * @throws SpawnException if the worktree is poisoned
     */
    public Command begin(ProtectionPlan mounted) {
        Command command = announce(mounted);
        command.begin();
        return command;
    }

    /**
     * Announces a command that will be started. The guard counts it from its {@link Command#begin}
     * on.
     *
     * @param mounted as with {@link #begin}
     * @return the command, to be begun before it can start, and settled after it has ended
     */
    public Command announce(ProtectionPlan mounted) {
        return new Command(mounted);
    }

    /** A command that the guard tracks. */
    public final class Command {
        private final ProtectionPlan mounted;

        private Command(ProtectionPlan mounted) {
            this.mounted = mounted;
        }

        /**
         * Records the state of the protected paths before the command. A second call does nothing.
         *
         * @throws SpawnException if the worktree is poisoned: a protected path could not be
         *     settled, and still cannot
         */
        public void begin() {
            synchronized (WorktreeGuard.this) {
                if (live.contains(this)) {
                    return;
                }
                requireSettled();
                if (live.isEmpty()) {
                    // Without waiting for the watch, which would cost every command a round trip
                    // between threads: a repository that the user has created within the last
                    // moment may be taken for the command's.
                    repositories.poll();
                    takeBaseline();
                }
                alone = live.isEmpty();
                live.add(this);
            }
        }

        /**
         * Restores the protected paths that commands have changed, and reports it. Call it after
         * the command's processes have ended and before its result is reported. Throws nothing: a
         * fault is reported, and poisons the worktree. A second call does nothing.
         *
         * @return a sentence for each file that was moved or restored, or that the user should
         *     check
         */
        public List<String> settle() {
            synchronized (WorktreeGuard.this) {
                if (!live.contains(this)) {
                    return List.of();
                }
                try {
                    List<String> notices = new ArrayList<>(overdue);
                    notices.addAll(settleAll());
                    overdue = List.of();
                    return notices;
                } finally {
                    live.remove(this);
                    if (live.isEmpty() && poison.isEmpty()) {
                        journal.ifPresent(Journal::settled);
                    }
                }
            }
        }

        /**
         * Returns whether every command of the worktree has to be ended: one of them prevents that
         * a protected path is settled.
         */
        public boolean mustEndAll() {
            synchronized (WorktreeGuard.this) {
                return !poison.isEmpty() && !live.isEmpty();
            }
        }
    }

    /** Settles what a session that was killed has left. */
    private void recover() throws IOException {
        if (journal.isEmpty()) {
            return;
        }
        inherited = journal.get().unsettled(territory);
        inherited.ifPresent(left -> {
            baseline = left.snapshot().baseline();
            gitBaseline = GitBaseline.of(left.snapshot().git());
            Map<Path, Fingerprint> states = new HashMap<>(gitBaseline.states());
            states.putAll(baseline.states());
            store.adopt(left.snapshot().originals(), states);
            overdue = settleAll();
            overdue.forEach(notice -> LOG.log(Level.WARNING, notice));
        });
    }

    private void requireSettled() {
        if (poison.isEmpty()) {
            return;
        }
        if (live.isEmpty()) {
            settleAll().forEach(notice -> LOG.log(Level.WARNING, notice));
        }
        if (!poison.isEmpty()) {
            throw new SpawnException(poison.refusal(paths.root()));
        }
    }

    /** Settles the worktree. Throws nothing. */
    private List<String> settleAll() {
        Repair repair = inherited
                .map(left -> new Repair(paths, store, left.lastBeat(), left.accepted()))
                .orElseGet(() -> new Repair(paths, store));
        Evidence trust = new Evidence();
        Settlement settlement = new Settlement(paths, baseline, store, trust, repair);
        GitSettlement git = new GitSettlement(territory, paths.root(), gitBaseline, settlement, trust, repair);
        try {
            boolean changed = true;
            for (int pass = 0; pass < MOST_PASSES && changed; pass++) {
                repositories.flush();
                GitDirectories directories = gitDirectories();
                changed = settlement.pass(examined(), directories);
                changed |= git.pass(directories);
                changed |= unlockHidden(repair);
            }
            poison = new Poison(repair.stuck());
            if (poison.isEmpty()) {
                inherited = Optional.empty();
            }
        } catch (RuntimeException | Error fault) {
            LOG.log(Level.WARNING, "The worktree's protected paths could not be settled", fault);
            poison = new Poison(Map.of(paths.root(), "its protected paths could not be examined: " + fault));
        }
        if (!poison.isEmpty()) {
            repair.report(poison.notice());
        }
        return repair.notices();
    }

    /** Opens the directories that a command has closed, which may hide a repository. */
    private boolean unlockHidden(Repair repair) {
        boolean changed = false;
        for (Path hidden : repositories.hidden()) {
            if (!repair.isGivenUp(hidden) && repair.unlock(hidden)) {
                repositories.search(hidden);
                changed = true;
            }
        }
        return changed;
    }

    private GitDirectories gitDirectories() {
        return GitDirectories.of(paths, repositories.repositories(), finder);
    }

    /** The commands that are live, and those that have been. */
    private final class Evidence implements Settlement.Trust {
        @Override
        public boolean fingerprints() {
            return alone && live.size() == 1;
        }

        @Override
        public boolean mountedForAll(Path path, String identity) {
            return !live.isEmpty() && live.stream().allMatch(command -> command.mounted.mounts(path, identity));
        }
    }

    private void takeBaseline() {
        baseline = baseline.next(paths.named(repositories.repositories()));
        gitBaseline = gitBaseline.next(gitDirectories(), territory);
        Map<Path, Fingerprint> states = new HashMap<>(gitBaseline.states());
        states.putAll(baseline.states());
        store.keepOriginals(states, paths::territory);
        repositories.acceptHidden();
        journal.ifPresent(
                records -> records.begin(new JournalFormat.Snapshot(baseline, gitBaseline.present(), store.copies())));
    }

    /** Returns every protected path, whether it exists or not, parents before children. */
    private Map<Path, Path> guardedPaths() {
        return paths.in(repositories.repositories());
    }

    /** Returns the protected paths, and those of repositories that are no longer found. */
    private Map<Path, Path> examined() {
        Map<Path, Path> examined = new TreeMap<>(baseline.paths());
        examined.putAll(paths.named(repositories.repositories()));
        return examined;
    }

    /** Stops watching and deletes the originals. The quarantine stays. */
    @Override
    public synchronized void close() {
        repositories.close();
        store.close();
        journal.ifPresent(poison.isEmpty() && live.isEmpty() ? Journal::delete : Journal::close);
    }
}
