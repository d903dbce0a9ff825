package dev.paddock.executor.remote.sync;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Progress;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.remote.sync.Merge.Decision;
import dev.paddock.executor.remote.sync.TreeEntry.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The part of a synchronization that changes the host. */
final class Pull {
    private static final System.Logger LOG = LateLogger.of(Pull.class);

    /** The most unfetched files that are named. */
    private static final int MAX_NAMED = 10;

    private static final int OWNER_READS = 0400;

    private final SyncScript far;
    private final SyncDirectories directories;
    private final SyncedState state;
    private final Tree here;
    private final Tree there;
    private final Landing landing;
    private final AwaitedPaths awaited;
    private final List<String> notices = new ArrayList<>();
    private final List<String> toPush = new ArrayList<>();
    private final Set<String> failed = new HashSet<>();
    private Map<String, Download.Staged> staged = Map.of();
    private @Nullable Path keptHere;
    private List<String> missing = List.of();
    private int landed;
    private boolean complete = true;

    Pull(SyncScript far, SyncDirectories directories, SyncedState state, Tree here, Tree there, AwaitedPaths awaited) {
        this.far = far;
        this.directories = directories;
        this.state = state;
        this.here = here;
        this.there = there;
        this.awaited = awaited;
        this.landing = new Landing(directories.worktree(), here);
    }

    /**
     * Fetches the changes, and writes them to the host or quarantines them.
     *
     * @return the remote side's tree afterwards
     */
    Tree run(NavigableMap<String, Decision> decisions, AbortSignal signal, Consumer<Progress> progress) {
        Path directory = staging();
        try {
            Set<String> wanted = new HashSet<>();
            for (String path : WorktreeSync.paths(decisions, Decision.PULL, Decision.CONFLICT, Decision.PROTECTED)) {
                TreeEntry entry = there.get(path);
                if (entry != null && entry.hasContent()) {
                    wanted.add(path);
                }
            }
            leaveOut(wanted, decisions);
            awaited.set(WorktreeSync.paths(decisions, Decision.PULL));
            Tree after = there;
            long begun = there.clock();
            if (!wanted.isEmpty()) {
                Download.Result result =
                        Download.fetch(far, directory, there, wanted, directories.maxFetch(), signal, progress);
                staged = result.staged();
                after = result.after();
                begun = result.begun();
            }
            wanted.removeAll(staged.keySet());
            complete = wanted.isEmpty();
            decisions.keySet().removeAll(wanted);
            missing = List.copyOf(wanted);
            land(decisions, begun, signal);
            decide(decisions, signal);
            return after;
        } finally {
            clear(directory);
        }
    }

    /** Omits the largest files if all together exceed one pull's limit. */
    private void leaveOut(Set<String> wanted, NavigableMap<String, Decision> decisions) {
        List<String> smallestFirst = new ArrayList<>(wanted);
        smallestFirst.sort(Comparator.comparingLong(this::transferred));
        long left = directories.maxFetch();
        int named = 0;
        int omitted = 0;
        for (String path : smallestFirst) {
            long bytes = transferred(path);
            if (bytes <= left) {
                left -= bytes;
                continue;
            }
            wanted.remove(path);
            decisions.remove(path);
            if (named++ < MAX_NAMED) {
                notices.add("'" + ShownPath.of(path) + "' has " + bytes + " bytes on the remote side and was not"
                        + " fetched, since at most " + directories.maxFetch()
                        + " bytes are fetched at once: remove it there, or raise maxFetch.");
            } else {
                omitted++;
            }
        }
        if (omitted > 0) {
            notices.add(omitted + " more files were not fetched for the same reason.");
        }
    }

    private long transferred(String path) {
        TreeEntry entry = there.get(path);
        return entry == null ? 0 : far.transferred(entry);
    }

    private void land(NavigableMap<String, Decision> decisions, long begun, AbortSignal signal) {
        List<String> paths = WorktreeSync.paths(decisions, Decision.PULL);
        for (int index = paths.size() - 1; index >= 0; index--) {
            signal.throwIfAborted();
            remove(paths.get(index));
        }
        List<String> directories = new ArrayList<>();
        for (String path : paths) {
            signal.throwIfAborted();
            TreeEntry entry = there.get(path);
            if (entry != null && attempt(path, () -> put(path, entry)) && entry.isDirectory()) {
                directories.add(path);
            }
        }
        for (int index = directories.size() - 1; index >= 0; index--) {
            signal.throwIfAborted();
            String path = directories.get(index);
            TreeEntry entry = there.get(path);
            if (entry != null) {
                attempt(path, () -> landing.finish(path, entry));
            }
        }
        for (String path : paths) {
            signal.throwIfAborted();
            if (!failed.contains(path)) {
                record(path, begun);
            }
        }
    }

    private void remove(String path) {
        @Nullable TreeEntry mine = here.get(path);
        @Nullable TreeEntry theirs = there.get(path);
        if (mine != null && (theirs == null || theirs.kind() != mine.kind())) {
            attempt(path, () -> {
                if (landing.remove(path)) {
                    landed++;
                } else {
                    // The host has created files in a directory that the remote side has removed.
                    state.forget(path);
                    failed.add(path);
                    complete = false;
                }
            });
        }
    }

    private void put(String path, TreeEntry entry) throws IOException {
        if (entry.isDirectory()) {
            landing.directory(path, entry);
            landed++;
            return;
        }
        Download.Staged content = staged.get(path);
        if (content == null) {
            return;
        }
        if (!landing.equalsContent(path, content)) {
            landing.put(path, entry, content);
            landed++;
            return;
        }
        SyncedState.Pair before = state.pairs().get(path);
        if (before == null || !entry.isUnchangedSince(before.there())) {
            landing.touch(path, entry);
            landed++;
        }
    }

    private void record(String path, long begun) {
        awaited.arrived(path);
        TreeEntry theirs = there.get(path);
        try {
            Optional<TreeEntry> mine = landing.stat(path);
            state.record(path, mine.orElse(null), theirs, theirs != null && theirs.isUncertain(begun, there.tick()));
        } catch (IOException fault) {
            complete = false;
        }
    }

    /** Quarantines denied changes, and leaves the rest to the push. */
    private void decide(NavigableMap<String, Decision> decisions, AbortSignal signal) {
        for (Map.Entry<String, Decision> each : decisions.entrySet()) {
            signal.throwIfAborted();
            String path = each.getKey();
            Download.Staged content = staged.get(path);
            if (each.getValue() == Decision.PULL) {
                continue;
            }
            if (content == null) {
                if (each.getValue() == Decision.PROTECTED) {
                    protectedWithoutContent(path);
                }
                toPush.add(path);
                continue;
            }
            attempt(path, () -> {
                if (!landing.equalsContent(path, content) || !sameMode(path)) {
                    keep(path, content, each.getValue());
                    toPush.add(path);
                } else {
                    record(path, there.clock());
                }
            });
        }
    }

    private void protectedWithoutContent(String path) {
        if (here.get(path) != null && there.get(path) == null) {
            notices.add("The command removed '" + ShownPath.of(path)
                    + "' there, which is protected: it stays here, and was restored there.");
        } else if (here.get(path) == null && there.closed().contains(path)) {
            notices.add("The command created the directory '" + ShownPath.of(path)
                    + "', which is protected, and denied access to it: its content was not fetched.");
        }
    }

    private boolean sameMode(String path) {
        TreeEntry mine = here.get(path);
        TreeEntry theirs = there.get(path);
        return mine != null && theirs != null && (mine.kind() == Kind.LINK || mine.mode() == theirs.mode());
    }

    private void keep(String path, Download.Staged content, Decision why) throws IOException {
        Path target = WorktreeListing.resolve(kept(), path);
        Files.createDirectories(target.getParent());
        if (content.kind() == Kind.LINK) {
            Files.createSymbolicLink(target, Landing.link(content.target()));
        } else {
            Files.move(content.file(), target);
        }
        String shown = ShownPath.of(path);
        notices.add(
                why == Decision.PROTECTED
                        ? "The command changed '" + shown + "', which is protected: its version was moved to '"
                                + ShownPath.of(target) + "', and the path is as it was."
                        : "'" + shown + "' was changed here and by a command: it stays as it is here, and the"
                                + " command's version was moved to '" + ShownPath.of(target) + "'.");
    }

    private Path kept() throws IOException {
        Path known = keptHere;
        if (known == null) {
            Files.createDirectories(directories.kept());
            known = Files.createTempDirectory(
                    directories.kept(),
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            keptHere = known;
        }
        return known;
    }

    /** An action on one path, whose failure does not stop the others. */
    @FunctionalInterface
    private interface Attempt {
        void run() throws IOException;
    }

    private boolean attempt(String path, Attempt attempt) {
        if (failed.contains(path)) {
            return false;
        }
        try {
            attempt.run();
            return true;
        } catch (Landing.Overtaken overtaken) {
            complete = false;
        } catch (IOException | RuntimeException fault) {
            notices.add("'" + ShownPath.of(path) + "' could not be written here: " + FileFaults.reason(fault));
            complete = false;
        }
        failed.add(path);
        return false;
    }

    private Path staging() {
        try {
            return Files.createTempDirectory(directories.staging(), "pull");
        } catch (IOException fault) {
            throw new ExecutorException(
                    "files cannot be fetched to '" + directories.staging() + "': " + FileFaults.reason(fault), fault);
        }
    }

    private static void clear(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException | UncheckedIOException left) {
            LOG.log(System.Logger.Level.DEBUG, "fetched files are left in " + directory, left);
        }
    }

    /** Returns a sentence for each file that the remote side listed but did not send, {@link #MAX_NAMED} at most. */
    List<String> missing() {
        List<String> sentences = new ArrayList<>();
        for (String path : missing.stream().sorted().limit(MAX_NAMED).toList()) {
            TreeEntry entry = there.get(path);
            boolean readable = entry == null || entry.kind() == Kind.LINK || (entry.mode() & OWNER_READS) != 0;
            sentences.add("'" + ShownPath.of(path) + "' could not be fetched, so the host lacks its changes: "
                    + (readable ? "it changed whenever it was read." : "its permissions deny reading it."));
        }
        if (missing.size() > MAX_NAMED) {
            sentences.add((missing.size() - MAX_NAMED) + " more files could not be fetched.");
        }
        return sentences;
    }

    /** Returns the paths whose host state is copied to the remote side. */
    List<String> toPush() {
        return toPush;
    }

    List<String> notices() {
        return notices;
    }

    /** Returns how many paths have changed on the host. */
    int landed() {
        return landed;
    }

    /** Returns whether every path was settled; if not, one has changed meanwhile or has failed. */
    boolean isComplete() {
        return complete;
    }
}
