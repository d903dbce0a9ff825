package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.policy.ProtectedPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.stream.Collectors;

/**
 * Keeps the protected paths of one worktree, and of every repository in it, unchanged while
 * commands run.
 *
 * <p>{@link #plan()} lists the mounts with which a sandbox can prevent changes. The guard restores
 * all other paths before a command's result is reported: files that a command has added are
 * <b>moved, never deleted</b>, to a quarantine; files that it has changed are moved there too, and
 * the originals restored. A repository that a command creates stays usable: its configuration and
 * sample hooks stay, executable hooks are moved, and settings that make git run programs are
 * reported.
 *
 * <p>Changes made while no command runs are the user's own and stay. While a command runs, the
 * guard cannot distinguish the user's changes from the command's.
 *
 * <p>Safe for use by several threads.
 */
public final class WorktreeGuard implements AutoCloseable {
    private final Path root;
    private final ProtectedPaths names;
    private final GuardStore store;
    private final RepositoryWatch repositories;

    /**
     * As of the guard's opening: later changes that a command makes to the {@code .git} file are
     * not trusted.
     */
    private final Optional<GitLayout> linked;

    private final Set<Command> live = new HashSet<>();

    /** The state of the protected paths before the commands that are running now. */
    private Map<Path, Fingerprint> baseline = Map.of();

    /** The git directories, and roots of repositories, that existed then. */
    private Set<Path> knownOwners = Set.of();

    private WorktreeGuard(Path root, ProtectedPaths names, GuardStore store) throws IOException {
        this.root = root;
        this.linked = GitLayout.of(root).filter(GitLayout::linked);
        this.names = names;
        this.store = store;
        this.repositories = new RepositoryWatch(root, store.beacon());
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
            return new WorktreeGuard(root, names, GuardStore.in(stateDirectory, quarantine));
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
        Set<Path> readOnly = new TreeSet<>();
        for (Path path : guardedPaths().keySet()) {
            mountable(path).ifPresent(readOnly::add);
        }
        List<Path> writable = linked.map(git -> git.gitDirectory().startsWith(git.commonDirectory())
                        ? List.of(git.commonDirectory())
                        : List.of(git.commonDirectory(), git.gitDirectory()))
                .orElse(List.of());
        return new ProtectionPlan(writable, pins(readOnly, writable), new ArrayList<>(readOnly));
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
                mountable(path).ifPresent(refusable::add);
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
        return linked.map(layout -> new LinkedGit(layout.gitDirectory(), layout.commonDirectory()));
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
     * @param mounted the plan's read-only paths that the command's sandbox really mounts read-only;
     *     empty if it mounts none
     * @return the command, to be settled after it has ended
     */
    public Command begin(Set<Path> mounted) {
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
    public Command announce(Set<Path> mounted) {
        return new Command(Set.copyOf(mounted));
    }

    /** A command that the guard tracks. */
    public final class Command {
        private final Set<Path> mounted;

        private Command(Set<Path> mounted) {
            this.mounted = mounted;
        }

        /**
         * Records the state of the protected paths before the command. A second call does nothing.
         */
        public void begin() {
            synchronized (WorktreeGuard.this) {
                if (live.contains(this)) {
                    return;
                }
                if (live.isEmpty()) {
                    // Without waiting for the watch, which would cost every command a round trip
                    // between threads: a repository that the user has created within the last
                    // moment may be taken for the command's.
                    repositories.poll();
                    takeBaseline();
                }
                live.add(this);
            }
        }

        /**
         * Restores the protected paths that commands have changed, and reports it. Call it after
         * the command's processes have ended and before its result is reported. A second call does
         * nothing.
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
                    return putRight();
                } finally {
                    live.remove(this);
                }
            }
        }
    }

    private List<String> putRight() {
        repositories.flush();
        List<String> notices = new ArrayList<>();
        Restoration restoration = new Restoration(this::territory, store, notices);
        guardedPaths().forEach((path, owner) -> {
            Fingerprint before = baseline.getOrDefault(path, Fingerprint.ABSENT);
            if (Fingerprint.of(path).equals(before) || isMountedForAll(path)) {
                return;
            }
            if (!before.isAbsent()) {
                restoration.restore(path);
            } else if (!knownOwners.contains(owner)) {
                restoration.tidyNewRepository(path);
            } else {
                restoration.quarantine(path);
            }
        });
        takeBaseline();
        return notices;
    }

    private boolean isMountedForAll(Path path) {
        return live.stream().allMatch(command -> command.mounted.contains(path));
    }

    private void takeBaseline() {
        Map<Path, Fingerprint> now = new HashMap<>();
        Map<Path, Path> guarded = guardedPaths();
        for (Path path : guarded.keySet()) {
            Fingerprint state = Fingerprint.of(path);
            if (!state.isAbsent()) {
                now.put(path, state);
            }
        }
        store.keepOriginals(now);
        baseline = now;
        knownOwners = guarded.values().stream()
                .filter(owner -> Files.exists(owner, LinkOption.NOFOLLOW_LINKS))
                .collect(Collectors.toSet());
    }

    /**
     * Returns every protected path, whether it exists or not, parents before children, each with
     * its owner: a git directory, or the root of the worktree or a repository.
     */
    private Map<Path, Path> guardedPaths() {
        Map<Path, Path> guarded = new TreeMap<>();
        addNames(root, guarded);
        for (Path repository : repositories.repositories()) {
            addNames(repository, guarded);
        }
        linked.ifPresent(layout -> guarded.putAll(layout.guarded()));
        return guarded;
    }

    private void addNames(Path repository, Map<Path, Path> guarded) {
        Path dotGit = repository.resolve(".git");
        for (String name : names.names()) {
            if (!name.startsWith(".git/")) {
                guarded.put(repository.resolve(name), repository);
            }
        }
        if (Files.isDirectory(dotGit, LinkOption.NOFOLLOW_LINKS)) {
            names.names().stream()
                    .filter(name -> name.startsWith(".git/"))
                    .forEach(name -> guarded.put(repository.resolve(name), dotGit));
            guarded.putAll(GitLayout.inside(repository).guarded());
        } else {
            guarded.put(dotGit, dotGit);
        }
    }

    /**
     * Returns the path that a mount can protect: the path itself, or the target of a link in its
     * place if that is in the worktree.
     */
    private Optional<Path> mountable(Path path) {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try {
            Path real = path.toRealPath();
            return real.equals(path) || real.startsWith(root) ? Optional.of(real) : Optional.empty();
        } catch (IOException vanished) {
            return Optional.empty();
        }
    }

    private List<Path> pins(Set<Path> readOnly, List<Path> writable) {
        Set<Path> pins = new TreeSet<>();
        for (Path path : readOnly) {
            Path parent = path.getParent();
            while (parent != null
                    && !parent.equals(root)
                    && !writable.contains(parent)
                    && territoryHolds(parent, writable)) {
                pins.add(parent);
                parent = parent.getParent();
            }
        }
        return new ArrayList<>(pins);
    }

    private boolean territoryHolds(Path path, List<Path> writable) {
        return path.startsWith(root) || writable.stream().anyMatch(path::startsWith);
    }

    /** Returns the closest directory above a path whose own path no command can change. */
    private Path territory(Path path) {
        if (path.startsWith(root)) {
            return root;
        }
        return linked.map(layout ->
                        path.startsWith(layout.commonDirectory()) ? layout.commonDirectory() : layout.gitDirectory())
                .orElse(root);
    }

    /** Stops watching and deletes the originals. The quarantine stays. */
    @Override
    public synchronized void close() {
        repositories.close();
        store.close();
    }
}
