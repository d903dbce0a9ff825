package dev.paddock.executor.worktree;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.Uninterruptibles;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.git.LinkedGitDirectory;
import dev.paddock.executor.worktree.git.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Keeps the protected paths of one worktree, and of every repository in it, unchanged while commands run.
 *
 * <p>{@link #plan()} lists the mounts with which a sandbox can prevent changes. A mount proves nothing: when a host
 * program renames a file over a mount point, the kernel detaches the mount. So the guard examines every path, mounted
 * or not, before a command's result is reported: it <b>moves, never deletes</b> files that a command has added to a
 * quarantine; it moves changed files there too, and restores the originals. A path that cannot be read counts as
 * changed. In a repository that a command creates, it moves all hooks but samples, and the configuration keeps only
 * settings that git itself writes.
 *
 * <p>If a path can neither be moved nor renamed, or a live command creates it again each time, the worktree is
 * <b>poisoned</b>: all commands must be ended ({@link Command#mustEndAll}), and no other begins until the path is
 * resolved.
 *
 * <p>Changes made while no command runs are the user's own and stay. While a command runs, the guard cannot distinguish
 * the user's changes from the command's, except inside a mount.
 *
 * <p>Thread-safe.
 */
public final class WorktreeGuard implements AutoCloseable {
    private static final int MAX_KILLED_AROUND = 100;

    private final TreeIndex tree;
    private final GuardedPaths paths;
    private final MountPlanner mounts;
    private final Journal journal;
    private final RepositoryWatch repositories;
    private final Set<Command> live = new HashSet<>();
    private final Settler settler;
    private final NeighbourGuards neighbours;

    /** Whether only one command has begun since no command was live. */
    private boolean alone;

    private boolean closing; // once no command is live
    private boolean closed;

    private WorktreeGuard(
            TreeIndex tree,
            MountPlanner mounts,
            GuardStore store,
            Journal journal,
            NeighbourGuards neighbours,
            NeighbourTargets targets)
            throws IOException {
        this.tree = tree;
        this.paths = tree.paths();
        this.repositories = tree.repositories();
        this.journal = journal;
        this.settler = new Settler(tree, store, journal, targets);
        this.neighbours = neighbours;
        this.mounts = mounts;
        Journal.Hold hold = journal.hold();
        try (hold) {
            settler.recover();
        }
    }

    /**
     * Starts to guard a worktree. Walks it once.
     *
     * @param root the worktree, its real path
     * @param names the names to protect; a linked worktree's {@code .git} file and the configuration behind it are
     *     always protected
     * @param stateDirectory a directory that this JVM has created: its owner also owns the files that this JVM and
     *     commands create
     * @param quarantine the directory that receives files which commands add; created when needed, and left for the
     *     user
     * @return the guard; the caller closes it
     * @throws IllegalArgumentException if the worktree's {@code .git} file leads to a directory of another worktree
     */
    public static WorktreeGuard open(Path root, ProtectedPaths names, Path stateDirectory, Path quarantine) {
        return open(root, names, stateDirectory, quarantine, List.of(), container -> false);
    }

    /**
     * Starts to guard a worktree from commands that can write elsewhere, too.
     *
     * @param root as above, as are {@code names}, {@code stateDirectory} and {@code quarantine}
     * @param mounts the mounts of the commands: while commands run, the worktrees of other sessions that they can write
     *     to through one are guarded
     * @param ended ends a killed session's container whose processes are not visible here, and returns whether it has
     *     ended; false if unknown
     */
    public static WorktreeGuard open(
            Path root,
            ProtectedPaths names,
            Path stateDirectory,
            Path quarantine,
            List<Mount> mounts,
            Predicate<SessionContainer> ended) {
        try {
            Journals journals = Journals.standard(ended);
            return open(root, names, stateDirectory, journals, quarantine, writable(mounts), HostEnvironment.all());
        } catch (IOException fault) {
            throw new ExecutorException(
                    "the worktree '" + root + "' cannot be guarded: " + FileFaults.reason(fault), fault);
        }
    }

    private static List<Path> writable(List<Mount> mounts) {
        return mounts.stream()
                .filter(mount -> mount.access() == Mount.Access.READ_WRITE)
                .map(Mount::source)
                .toList();
    }

    static WorktreeGuard open(
            Path root,
            ProtectedPaths names,
            Path stateDirectory,
            Journals journals,
            Path quarantine,
            List<Path> mounts,
            Map<String, String> environment)
            throws IOException {
        Optional<Repository> linked = LinkedGitDirectory.of(root);
        GuardedPaths named = new GuardedPaths(root, names, linked, Set.of(), Set.of(), repository -> Set.of());
        Journal journal = Journal.open(journals, root, named.commonDirectory(), named.roots());
        Optional<TreeIndex> opened = Optional.empty();
        try {
            TreeIndex tree = TreeIndex.open(named, stateDirectory, environment);
            opened = Optional.of(tree);
            NeighbourGuards neighbours = new NeighbourGuards(
                    journals,
                    named.roots(),
                    mounts,
                    other -> open(other, names, stateDirectory, journals, quarantine, List.of(), environment));
            NeighbourTargets targets = new NeighbourTargets(journals, tree.territory(), environment);
            GuardStore store = new GuardStore(journal.directory(), quarantine);
            MountPlanner planner = new MountPlanner(tree.paths(), stateDirectory);
            WorktreeGuard guard = new WorktreeGuard(tree, planner, store, journal, neighbours, targets);
            if (LinkedGitDirectory.of(root).equals(linked)) {
                return guard;
            }
            guard.settler.logUnreported();
        } catch (RuntimeException | IOException fault) {
            close(opened, journal);
            throw fault;
        }
        close(opened, journal); // recovery restored the .git file, which now names another git directory
        return open(root, names, stateDirectory, journals, quarantine, mounts, environment);
    }

    /**
     * Returns the mounts for the next command. Checks a few files, without a walk. A file that the user's configuration
     * or links name only since the last command began is not mounted yet, but settled.
     *
     * @return the plan; after the guard's end that of its last state, for a sandbox that is still being prepared
     */
    public synchronized ProtectionPlan plan() {
        poll();
        return mounts.plan(settler.withoutCreated(repositories.repositories()));
    }

    /**
     * Returns the paths that no command may change, for a sandbox that denies by path: unlike a mount, it can deny a
     * path before a file exists there. Checks a few files, without a walk.
     *
     * @return absolute paths, in order, existing or not; for a link also its target. Without the {@code .git} of a
     *     directory that is no repository, which a command may create
     */
    public synchronized List<Path> refusable() {
        poll();
        return mounts.refusable(paths.in(repositories.repositories()));
    }

    private void poll() {
        if (!closed) {
            repositories.poll();
        }
    }

    /**
     * Returns whether a file is, or lies in, one that the user's own git configuration or links name: now while no
     * command is live, else before the commands. Ignores the policy's protected names.
     *
     * @param path an absolute path, without links
     * @return whether no command may change it
     */
    public synchronized boolean isKept(Path path) {
        poll();
        return paths.isTarget(path, repositories.repositories()) || (live.isEmpty() && tree.isTargetNow(path));
    }

    /**
     * Returns the git directories of the worktree, if they are outside it.
     *
     * @return those as of the guard's opening; empty if there are none outside
     */
    public Optional<LinkedGit> linkedGit() {
        return paths.linked().map(git -> new LinkedGit(git.gitDirectory(), git.commonDirectory()));
    }

    /**
     * Begins a command that is about to start.
     *
     * @param mounted the plan whose read-only mounts the command's sandbox actually has; {@link ProtectionPlan#NONE} if
     *     it mounts none
     * @return the command, to be settled after it has ended
     * @throws SpawnException if the worktree is poisoned
     */
    public Command begin(ProtectionPlan mounted) {
        Command command = announce(mounted);
        command.begin();
        return command;
    }

    /**
     * Announces a command. It counts as live from {@link Command#begin}.
     *
     * @param mounted as with {@link #begin}
     * @return the command, to be begun before it can start, and settled after it has ended
     */
    public Command announce(ProtectionPlan mounted) {
        return new Command(mounted);
    }

    /**
     * Records a container before commands run in it: if this session is killed, the next one waits for its end.
     *
     * @param container the running container
     */
    public synchronized void runsIn(SessionContainer container) {
        try {
            journal.runsIn(container);
            neighbours.runsIn(container);
        } catch (IOException fault) {
            throw new ExecutorException(
                    "the journal of the worktree cannot be written: " + FileFaults.reason(fault), fault);
        }
    }

    Journal journal() {
        return journal;
    }

    DirectoryCache cache() {
        return tree.cache();
    }

    public final class Command {
        final ProtectionPlan mounted;

        private Command(ProtectionPlan mounted) {
            this.mounted = mounted;
        }

        /**
         * Records the state of the protected paths before the command. A second call does nothing.
         *
         * @throws SpawnException if the worktree is poisoned: a protected path could not be settled, and still cannot
         */
        public void begin() {
            synchronized (WorktreeGuard.this) {
                if (live.contains(this)) {
                    return;
                }
                if (live.isEmpty()) {
                    beginFirst();
                } else {
                    settler.requireNoPoison();
                    neighbours.begin();
                    alone = false;
                }
                live.add(this);
            }
        }

        /**
         * Settles while processes of the command survive. The command stays live: later settlements compare the
         * worktree with the state before it.
         *
         * @return as with {@link #settle}
         */
        public List<String> examine() {
            synchronized (WorktreeGuard.this) {
                alone = false;
                return live.contains(this) ? settleSafely(false) : List.of();
            }
        }

        /**
         * Restores the protected paths that commands have changed, and reports it. Call it after the command's
         * processes have exited and before its result is reported. Throws nothing: a fault is reported, and poisons the
         * worktree. A second call does nothing.
         *
         * @return a sentence for each file that was moved or restored, or that the user should check
         */
        public List<String> settle() {
            synchronized (WorktreeGuard.this) {
                if (!live.contains(this)) {
                    return List.of();
                }
                try {
                    return settleSafely(live.size() == 1);
                } finally {
                    live.remove(this);
                    closeAfterTheLast();
                }
            }
        }

        /**
         * Returns whether every command of the worktree must be ended because one of them prevents settlement of a
         * protected path.
         */
        public boolean mustEndAll() {
            synchronized (WorktreeGuard.this) {
                return (!settler.poison().isEmpty() && !live.isEmpty()) || neighbours.mustEndAll();
            }
        }
    }

    private void beginFirst() {
        boolean begun = false;
        try {
            neighbours.begin();
            journal.follow(paths.commonDirectory());
            Journal.Hold hold = holdSettled();
            try (hold) {
                settler.requireSettled();
                repositories.flush();
                settler.take();
                alone = !journal.isShared();
            }
            begun = true;
        } catch (IOException fault) {
            throw new SpawnException("no command is started: " + FileFaults.reason(fault), fault);
        } finally {
            if (!begun) {
                settler.add(neighbours.settle(true));
            }
        }
    }

    /** Locks the journals once no enclosing directory has unsettled changes of a killed session. */
    private Journal.Hold holdSettled() throws IOException {
        for (int attempt = 0; attempt < MAX_KILLED_AROUND; attempt++) {
            Journal.Hold hold = journal.hold();
            Optional<DirectoryJournal> killed = journal.killedAround();
            if (killed.isEmpty()) {
                return hold;
            }
            hold.close();
            settler.add(neighbours.settle(killed.get()));
        }
        throw new IOException("sessions around '" + PathBytes.escaped(paths.root())
                + "' keep being killed while their changes are undone; run the command again");
    }

    /**
     * Returns, once, the notices about changes of killed sessions that opening the guard settled.
     *
     * @throws SpawnException if that could not be settled
     */
    synchronized List<String> settledAtOpening() {
        settler.requireNoPoison();
        return settler.overdue();
    }

    private List<String> settleSafely(boolean last) {
        List<String> notices = new ArrayList<>();
        try {
            notices.addAll(settle(last));
        } catch (IOException | RuntimeException | Error fault) {
            notices.add(settler.fail(fault));
        }
        notices.addAll(neighbours.settle(last));
        return notices;
    }

    private List<String> settle(boolean last) throws IOException {
        Journal.Hold hold = journal.hold();
        try (hold) {
            if (last && (!alone || journal.isShared())) {
                repositories.rescan(); // events processed while a command was live prove nothing
            }
            boolean shared = journal.isShared();
            List<String> settled = settler.settle(
                    alone && live.size() == 1 && !shared,
                    shared
                            ? List.of()
                            : live.stream().map(command -> command.mounted).toList());
            List<String> notices = settler.overdue();
            notices.addAll(settled);
            if (!settler.poison().isEmpty()) {
                notices.add(settler.poisonNotice());
            } else if (last) {
                journal.settled();
            }
            return notices;
        }
    }

    /**
     * Stops watching, and removes the journals if no session needs them; keeps the quarantine. While commands are live,
     * waits for the settlement of the last one.
     */
    @Override
    public synchronized void close() {
        closing = true;
        closeAfterTheLast();
    }

    private void closeAfterTheLast() {
        if (closing && live.isEmpty()) {
            closed = true;
            try {
                settler.logUnreported();
                neighbours.close();
            } finally {
                close(Optional.of(tree), journal);
            }
        }
    }

    /** Closes the watch and the journal concurrently: the kernel takes 10 to 20 ms to close a watch. */
    private static void close(Optional<TreeIndex> tree, Journal journal) {
        Thread unwatching = DaemonThreads.platform("paddock-unwatch").start(() -> tree.ifPresent(TreeIndex::close));
        try {
            journal.close();
        } finally {
            Uninterruptibles.join(unwatching);
        }
    }
}
