package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.FileClock;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.Inotify;
import dev.paddock.executor.worktree.files.QueuedChanges;
import dev.paddock.executor.worktree.files.TreeSearch;
import dev.paddock.executor.worktree.git.GitNames;
import dev.paddock.executor.worktree.git.Territory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tracks which directories of a worktree are repositories: walks the tree once, and then watches it by inotify. Walks
 * the tree again if events were lost, and each time if the kernel's watch limit is too low or another machine may
 * change the tree.
 *
 * <p>Not thread-safe; guarded by the guard's lock.
 */
final class RepositoryWatch implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(RepositoryWatch.class);
    private static final Path DOT_GIT = Path.of(".git");
    private static final Path HEAD = Path.of("HEAD");

    private final List<Path> roots;
    private final OwnEntries own;
    private final WatchedDirectories watched;
    private final TreeSearch search = TreeSearch.create();

    private final Set<Path> repositories = new TreeSet<>();

    private final ClosedDirectories closed;
    private final SetIdFiles setId = new SetIdFiles();
    private final IrregularInputs inputs;
    private List<String> identities = List.of();

    /**
     * Walks a worktree and watches it.
     *
     * @param roots the worktree, and the git directories outside it that commands can write to
     * @param own receives the entries under protected names
     * @param events the kernel's events, closed with this watch; without them, the tree is walked each time
     */
    RepositoryWatch(List<Path> roots, OwnEntries own, Optional<Inotify> events) {
        this.roots = List.copyOf(roots);
        this.own = own;
        this.inputs = new IrregularInputs(new Territory(this.roots, Set.of()));
        this.closed = new ClosedDirectories(this.roots);
        this.watched = new WatchedDirectories(this.roots.get(0), events);
        rescan();
    }

    /** Returns the directories that have a {@code .git} or a {@code HEAD}, as of the last flush, in order. */
    Set<Path> repositories() {
        return new TreeSet<>(repositories);
    }

    /** Returns directories that a command made unreadable, which may hide a repository. */
    Set<Path> closedByCommands() {
        return closed.byCommands();
    }

    /** Returns the directories that cannot be listed now, with their stamps. */
    Map<Path, String> closed() {
        return closed.all();
    }

    /** Begins commands: accepts unreadable directories and all modes as the user's. */
    void begin(Map<Path, String> accepted) {
        closed.accept(accepted);
        closed.awaitTick();
        inputs.begin();
        setId.begin(roots.stream().mapToLong(FileClock::now).min().orElseGet(System::currentTimeMillis));
    }

    /**
     * Begins the settlement of a killed session, and searches the worktree once more.
     *
     * @param accepted the directories that could not be listed before its commands
     * @param since a time before its commands and after the baseline, in milliseconds since 1970
     */
    void resume(Map<Path, String> accepted, long since) {
        closed.accept(accepted);
        setId.begin(since);
        rescan();
    }

    /** Returns when the commands began, in milliseconds since 1970 by the clock that dates changes. */
    long since() {
        return setId.since();
    }

    OwnEntries own() {
        return own;
    }

    WatchedDirectories watched() {
        return watched;
    }

    IrregularInputs inputs() {
        return inputs;
    }

    SetIdFiles setId() {
        return setId;
    }

    /** Searches formerly unreadable directories that have changed. */
    private void searchOpened() {
        closed.changed().forEach(this::search);
    }

    /** Searches a directory again, which may have become readable. */
    void search(Path directory) {
        closed.remove(directory);
        add(directory);
    }

    /** Processes the queued events; without a watch, does nothing. */
    void poll() {
        QueuedChanges changes = new QueuedChanges();
        if (watched.read(changes)) {
            changes.forEach(this::take);
        } else {
            rescan();
        }
        watched.remove(changes.unwatched());
    }

    /** Processes the events of every earlier change in the tree; searches the tree without a complete watch. */
    void flush() {
        // A watch follows the directory, not its path.
        if (!watched.isComplete() || !identities.equals(identities())) {
            rescan();
            return;
        }
        poll();
        roots.stream().filter(ClosedDirectories::hidesChanges).forEach(closed::add); // no event has such a name
        searchOpened();
    }

    private void take(Inotify.Event event) {
        Set<String> directories = watched.paths(event.watch());
        PathBytes.path(event.name())
                .ifPresent(name ->
                        directories.forEach(directory -> happened(TreeSearch.path(directory), name, event.kind())));
    }

    private void happened(Path directory, Path name, Inotify.Kind kind) {
        Path entry = directory.resolve(name);
        if (kind == Inotify.Kind.CHANGED) {
            setId.examine(entry);
            if (!Files.isReadable(entry) && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                closed.add(entry);
            }
            return;
        }
        if (GitNames.isSign(PathBytes.of(name)) && mayBeRepository(directory)) {
            update(directory);
        }
        if (kind == Inotify.Kind.REMOVED) {
            repositories.removeIf(repository -> repository.startsWith(entry) && !isReached(repository, entry));
            closed.remove(entry);
            own.remove(entry);
            inputs.remove(entry);
            // Another directory may have replaced the watched one, with an entry of that name.
        }
        try {
            Optional<FileStatus> status = FileStatus.of(entry);
            if (status.filter(FileStatus::isDirectory).isPresent()) {
                add(entry); // a directory named HEAD may contain others
            } else if (status.isPresent()) {
                own.add(entry, status.get());
                inputs.add(entry);
                setId.examine(entry, status.get());
            }
        } catch (IOException unreadable) {
            closed.add(entry);
        }
    }

    /**
     * Returns whether a sign makes a directory a candidate. {@link GitDirectories} searches git directories, all but
     * their objects.
     */
    private boolean mayBeRepository(Path directory) {
        Path root = roots.stream().filter(directory::startsWith).findFirst().orElse(directory);
        boolean inGitDirectory = !root.equals(roots.get(0));
        for (Path name : root.relativize(directory)) {
            if (inGitDirectory && GitNames.is(name, "objects")) {
                return true;
            }
            inGitDirectory |= name.equals(DOT_GIT); // one that only resembles it may contain repositories
        }
        return !inGitDirectory;
    }

    private void update(Path directory) {
        if (hasSign(directory)) {
            repositories.add(directory);
        } else {
            repositories.remove(directory);
        }
    }

    /** A link that replaces a directory may lead to other repositories, which are found by their own paths. */
    private static boolean isReached(Path repository, Path entry) {
        return hasSign(repository) && !Files.isSymbolicLink(entry);
    }

    private static boolean hasSign(Path directory) {
        // A sign that cannot be examined counts.
        return !Files.notExists(directory.resolve(DOT_GIT), LinkOption.NOFOLLOW_LINKS)
                || !Files.notExists(directory.resolve(HEAD), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Searches the whole tree. If a directory cannot be watched, because it lost its permissions or the kernel has no
     * watch left, the next flush searches again.
     */
    void rescan() {
        repositories.clear();
        closed.clear();
        own.clear();
        inputs.clear();
        identities = identities();
        watched.renew();
        roots.forEach(this::add);
    }

    private List<String> identities() {
        return roots.stream().map(Baseline::identity).toList();
    }

    /**
     * Searches a directory and watches every directory in it. Watches each before listing it, so that no change in
     * between is missed.
     */
    private void add(Path directory) {
        String initials = setId.isActive() ? "" : GitNames.INITIALS_OF_SIGNS + own.initials(); // or every file
        search.run(directory, initials, new Registration());
    }

    /** Makes the directory of an entry a candidate, if git opens the entry there as {@code .git} or {@code HEAD}. */
    private void sign(Path entry) {
        Path directory = entry.getParent();
        boolean exact = entry.endsWith(DOT_GIT) || entry.endsWith(HEAD);
        if (directory != null && mayBeRepository(directory) && (exact || hasSign(directory))) {
            repositories.add(directory);
        }
    }

    private final class Registration implements TreeSearch.Visitor {
        @Override
        public void opened(String directory) {
            String name = directory.substring(directory.lastIndexOf('/') + 1);
            if (GitNames.isDotGit(name)) {
                sign(TreeSearch.path(directory));
            }
            if (own.mayBeNamed(name)) {
                remember(TreeSearch.path(directory));
            }
            watched.add(directory);
        }

        @Override
        public void file(String directory, String name) {
            boolean sign = GitNames.isSign(name);
            boolean input = IrregularInputs.mayBeNamed(name);
            if (!sign && !input && !own.mayBeNamed(name) && !setId.isActive()) {
                return;
            }
            Path file = TreeSearch.path(TreeSearch.child(directory, name));
            if (sign) {
                sign(file);
            }
            if (input) {
                inputs.add(file);
            }
            remember(file);
            setId.examine(file);
        }

        private void remember(Path entry) {
            try {
                if (own.isNamed(entry)) {
                    FileStatus.of(entry).ifPresent(status -> own.add(entry, status));
                }
            } catch (IOException unreadable) {
                failed(entry, unreadable);
            }
        }

        @Override
        public void failed(Path entry, IOException fault) {
            LOG.log(Level.DEBUG, "{0} cannot be searched: {1}", entry, fault.getMessage());
            if (GitNames.isDotGit(entry)) {
                sign(entry);
            }
            closed.add(entry);
        }
    }

    @Override
    public void close() {
        watched.close();
    }
}
