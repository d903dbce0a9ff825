package dev.paddock.executor.remote.sync;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Progress;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.remote.sync.TreeEntry.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The part of a synchronization that changes the remote side. */
final class Push {
    private static final int OWNER_ALL = 0700;

    private final SyncScript far;
    private final Path root;
    private final SyncedState state;
    private final Tree here;
    private final Tree there;
    private final Optional<Kernel> kernel = HostDirectory.kernel();
    private final List<String> notices = new ArrayList<>();
    private int changed;
    private boolean complete = true;

    Push(SyncScript far, Path root, SyncedState state, Tree here, Tree there) {
        this.far = far;
        this.root = root;
        this.state = state;
        this.here = here;
        this.there = there;
    }

    /**
     * Makes paths on the remote side equal to the host's.
     *
     * @param paths a directory before its entries
     * @return the remote side's tree afterwards
     */
    Tree run(List<String> paths, AbortSignal signal, Consumer<Progress> progress) {
        List<String> files = new ArrayList<>();
        List<String> directories = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        for (String path : paths) {
            @Nullable TreeEntry mine = here.get(path);
            @Nullable TreeEntry theirs = there.get(path);
            if (theirs != null && (mine == null || mine.kind() != theirs.kind())) {
                (theirs.isDirectory() ? directories : files).add(path);
            }
            if (mine != null) {
                sent.add(path);
            }
        }
        // Recorded first: the remote side's files at these paths may then be the host's.
        state.unfinished().addAll(paths);
        Tree after = there;
        if (!files.isEmpty()) {
            after = far.remove(files, signal);
        }
        if (!directories.isEmpty()) {
            Collections.reverse(directories);
            after = far.removeDirectories(directories, signal);
        }
        if (!sent.isEmpty()) {
            after = far.receive(input -> send(input, sent, signal, progress), signal);
        }
        for (String path : paths) {
            signal.throwIfAborted();
            record(path, after);
        }
        return after;
    }

    private void send(OutputStream input, List<String> paths, AbortSignal signal, Consumer<Progress> progress)
            throws IOException {
        TarWriter archive = new TarWriter(input);
        Optional<Kernel> writers = HostDirectory.kernel(); // this is another thread
        long bytes = paths.stream().mapToLong(path -> entry(path).size()).sum();
        TransferMeter meter = new TransferMeter("copying the worktree", progress, Duration.ZERO, paths.size(), bytes);
        for (String path : paths) {
            signal.throwIfAborted();
            TreeEntry entry = entry(path);
            if (entry.isDirectory()) {
                // A closed directory takes no entries: its permissions come last.
                archive.directory(path, entry, entry.mode() | OWNER_ALL);
            } else {
                send(writers, archive, path, entry);
                meter.add(entry.size());
            }
        }
        for (int index = paths.size() - 1; index >= 0; index--) {
            TreeEntry entry = entry(paths.get(index));
            if (entry.isDirectory() && (entry.mode() & OWNER_ALL) != OWNER_ALL) {
                archive.directory(paths.get(index), entry, entry.mode());
            }
        }
        archive.end();
    }

    private TreeEntry entry(String path) {
        TreeEntry entry = here.get(path);
        if (entry == null) {
            throw new IllegalStateException("nothing to send at " + path);
        }
        return entry;
    }

    private void send(Optional<Kernel> writers, TarWriter archive, String path, TreeEntry entry) throws IOException {
        try (HostDirectory parent =
                HostDirectory.open(writers, root, Tree.parent(path).orElse(""))) {
            if (entry.kind() == Kind.LINK) {
                archive.link(path, entry, parent.target(Landing.name(path)));
                return;
            }
            try (InputStream content = parent.read(Landing.name(path))) {
                archive.file(path, entry, content);
            }
        } catch (NoSuchFileException | NotLinkException | HostDirectory.NoDirectory vanished) {
            complete = false; // the next round sees it
        } catch (FileSystemException unreadable) {
            throw new SyncScript.HostFault(
                    "the host's file '" + ShownPath.of(path) + "' cannot be read: " + FileFaults.reason(unreadable),
                    unreadable);
        }
    }

    private void record(String path, Tree after) {
        @Nullable TreeEntry mine = here.get(path);
        @Nullable TreeEntry theirs = after.get(path);
        if (!isStill(path, mine)) {
            complete = false;
        } else if (mine != null && (theirs == null || !isCopy(theirs, mine))) {
            notices.add("'" + ShownPath.of(path) + "' did not arrive on the remote side.");
            complete = false;
        } else {
            state.record(path, mine, theirs, theirs != null && theirs.isUncertain(after.clock(), after.tick()));
            complete &= mine != null || theirs == null;
            changed++;
        }
    }

    private boolean isStill(String path, @Nullable TreeEntry before) {
        try (HostDirectory parent =
                HostDirectory.open(kernel, root, Tree.parent(path).orElse(""))) {
            return Tree.isUnchanged(parent.stat(Landing.name(path)).orElse(null), before);
        } catch (HostDirectory.NoDirectory gone) {
            return before == null;
        } catch (IOException fault) {
            return false;
        }
    }

    private static boolean isCopy(TreeEntry theirs, TreeEntry mine) {
        return theirs.kind() == mine.kind()
                && (mine.kind() != Kind.FILE || (theirs.size() == mine.size() && theirs.mode() == mine.mode()));
    }

    List<String> notices() {
        return notices;
    }

    /** Returns how many paths have changed on the remote side. */
    int changed() {
        return changed;
    }

    boolean isComplete() {
        return complete;
    }
}
