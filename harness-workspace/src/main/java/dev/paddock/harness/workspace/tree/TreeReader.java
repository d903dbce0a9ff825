package dev.paddock.harness.workspace.tree;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.Omission;
import dev.paddock.harness.workspace.TreeChangedException;
import dev.paddock.harness.workspace.TreeException;
import dev.paddock.harness.workspace.TreePath;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Reads a tree as it is at one moment, or fails: accepts an entry only if its change time, read after its content, is
 * before the call.
 *
 * <p>The kernel's clock for change times lags by up to a tick. The reader waits for two ticks first, so that a later
 * change cannot have a change time before the call. It accepts a change time in the future: a change now would have
 * replaced it.
 *
 * <p>An interrupt of the thread ends the reading before the next entry or block of a file. Refuses a tree of more than
 * {@link #MAX_ENTRIES} entries.
 */
public final class TreeReader {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);

    /** Some file systems store whole seconds, or even ones. */
    private static final long COARSE_TICK = TimeUnit.SECONDS.toNanos(2);

    /** The kernel has written a changed page by then, unless the device is slow. */
    private static final long WRITTEN_AFTER = TimeUnit.MINUTES.toNanos(5);

    /** These take about 1 GB of memory; commands can create entries faster than they are read. */
    public static final int MAX_ENTRIES = 2_000_000;

    /** Each level uses a descriptor or two, and a part of the stack. */
    private static final int MAX_DEPTH = 250;

    private static final int BATCH = 10_000;

    private static final int OWNERS_READING = 0400;
    private static final int OWNERS_RIGHTS = 0700;

    private final Kernel kernel;
    private final Path root;
    private final Path scratch;
    private final TreeVisitor visitor;
    private boolean isOwner;
    private int most = MAX_ENTRIES;
    private int left = MAX_ENTRIES;
    private long start;
    private int depth;

    /**
     * Creates a reader.
     *
     * @param root the tree, a real path
     * @param scratch an empty directory outside of the tree, for detached repositories
     */
    public TreeReader(Kernel kernel, Path root, Path scratch, TreeVisitor visitor) {
        this.kernel = kernel;
        this.root = root;
        this.scratch = scratch;
        this.visitor = visitor;
    }

    /**
     * Also reads entries whose mode denies access to the owner: changes the mode while a file is opened and while a
     * directory is read.
     */
    public TreeReader asOwner() {
        isOwner = true;
        return this;
    }

    /** Reads at most so many entries, for tests. */
    TreeReader atMost(int entries) {
        most = entries;
        left = entries;
        return this;
    }

    /** Reads the whole tree. */
    public void read() throws IOException {
        start = now();
        awaitTicks();
        int directory = open(root, TreePath.ROOT);
        try {
            new Level(directory, TreePath.ROOT, Optional.empty()).read("", kernel.status(directory));
        } catch (Fault fault) {
            throw wrapped(TreePath.ROOT, fault);
        } finally {
            kernel.close(directory);
        }
    }

    private void awaitTicks() throws InterruptedIOException {
        try {
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(2 * TICK));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the tree " + root + " was read");
        }
    }

    /** Returns whether an entry could not be opened because of its mode, which its owner may change. */
    private boolean isClosedToOwner(Fault fault) {
        return isOwner && fault.is(Fault.EACCES);
    }

    private int open(Path directory, TreePath path) throws IOException {
        try {
            return kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(directory));
        } catch (Fault fault) {
            throw new TreeException(path, fault.getMessage() + ": " + directory);
        }
    }

    private static long now() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private static TreeException wrapped(TreePath path, Fault fault) {
        return fault.showsChange()
                ? new TreeChangedException(path)
                : new TreeException(path, "it cannot be read: " + fault.getMessage());
    }

    /** An open directory of the tree, or of a detached repository, which is read as part of it. */
    private final class Level {
        private final int directory;
        private final TreePath path;
        /** The status of the {@code .git} that this directory replaces; empty in the tree itself. */
        private final Optional<Status> replacedGit;

        Level(int directory, TreePath path, Optional<Status> replacedGit) {
            this.directory = directory;
            this.path = path;
            this.replacedGit = replacedGit;
        }

        /** Reads the directory with this status. */
        void read(String name, Status status) throws IOException {
            read(name, status, status);
        }

        /**
         * Reads the directory.
         *
         * @param status the status to record
         * @param opened its status while it is read
         */
        private void read(String name, Status status, Status opened) throws IOException {
            if (++depth > MAX_DEPTH) {
                throw new TreeException(path, "it is more than " + MAX_DEPTH + " directories deep");
            }
            List<String> names = names();
            Collections.sort(names);
            Map<String, String> none = Map.of();
            checkUnchanged(path, opened, kernel.status(directory), !status.equals(opened));
            visitor.enter(name, recorded(status), new Source() {
                @Override
                public int open() {
                    return directory;
                }

                @Override
                public Map<String, String> attributes() throws IOException {
                    return replacedGit.isPresent() ? none : Attributes.read(kernel, directory);
                }

                @Override
                public String target() {
                    throw new IllegalStateException("a directory has no target");
                }
            });
            for (String child : names) {
                entry(child);
            }
            visitor.leave();
            depth--;
        }

        private List<String> names() throws IOException {
            List<String> names = new ArrayList<>();
            for (List<String> some = kernel.names(directory, BATCH);
                    !some.isEmpty();
                    some = kernel.names(directory, BATCH)) {
                Fault.throwIfInterrupted();
                names.addAll(some);
                left -= some.size();
                if (left < 0) {
                    throw new TreeException(
                            path, "the tree has more than " + most + " entries; remove those that are not needed");
                }
            }
            return names;
        }

        private void entry(String name) throws IOException {
            TreePath where = path.child(name);
            try {
                Fault.throwIfInterrupted();
                Status status = kernel.status(directory, name);
                checkUnchanged(where, status, status);
                if (name.equals(".git") && !status.isDirectory() && replacedGit.isEmpty() && pointer(where, status)) {
                    return;
                }
                if (status.isDirectory()) {
                    directory(name, where, status);
                } else if (status.isFile() || status.isLink()) {
                    leaf(name, where, status);
                } else {
                    visitor.omit(new Omission(where, "a " + status.kind()));
                }
            } catch (Fault fault) {
                throw wrapped(where, fault);
            }
        }

        private void directory(String name, TreePath where, Status status) throws IOException {
            int descriptor;
            try {
                descriptor = kernel.openDirectory(directory, name);
            } catch (Fault fault) {
                if (!isClosedToOwner(fault)) {
                    throw fault;
                }
                closedDirectory(name, where, status);
                return;
            }
            try {
                checkUnchanged(where, status, kernel.status(descriptor));
                new Level(descriptor, where, replacedGit).read(name, status);
            } finally {
                kernel.close(descriptor);
            }
        }

        /** Reads a directory whose mode denies access to its owner; changes the mode while reading. */
        private void closedDirectory(String name, TreePath where, Status status) throws IOException {
            kernel.setMode(directory, name, status.mode() | OWNERS_RIGHTS);
            int descriptor = kernel.openDirectory(directory, name);
            try {
                if (!kernel.status(descriptor).isSameFile(status)) {
                    throw new TreeChangedException(where);
                }
                awaitTicks();
                new Level(descriptor, where, replacedGit).read(name, status, kernel.status(descriptor));
            } finally {
                kernel.setMode(descriptor, status.mode());
                kernel.close(descriptor);
            }
        }

        private void leaf(String name, TreePath where, Status status) throws IOException {
            try (Leaf leaf = new Leaf(this, name, where, status)) {
                if (status.isLink()) {
                    visitor.link(name, recorded(status), leaf);
                } else {
                    visitor.file(name, recorded(status), leaf);
                }
                leaf.check();
            }
        }

        /** Handles the {@code .git} file or link of a repository elsewhere; returns whether it was one. */
        private boolean pointer(TreePath where, Status status) throws IOException {
            GitPointer.Found found = GitPointer.of(kernel, directory, path, root, status);
            if (found instanceof GitPointer.Outside outside) {
                visitor.omit(new Omission(where, outside.reason()));
                return true;
            }
            if (found instanceof GitPointer.Inside inside) {
                replaced(where, status, inside.content());
                return true;
            }
            if (!(found instanceof GitPointer.Linked linked)) {
                return false;
            }
            Path made = DetachedRepository.make(kernel, linked, where, scratch);
            visitor.borrow(linked.common().resolve("objects"));
            int descriptor = open(made, where);
            try {
                new Level(descriptor, where, Optional.of(status)).read(".git", kernel.status(descriptor));
            } finally {
                kernel.close(descriptor);
            }
            return true;
        }

        /** Visits a {@code .git} file with another content. */
        private void replaced(TreePath where, Status status, String content) throws IOException {
            Path made = Files.createTempDirectory(scratch, "git");
            Files.write(made.resolve(".git"), content.getBytes(StandardCharsets.ISO_8859_1));
            int descriptor = open(made, where);
            try {
                Level level = new Level(descriptor, path, Optional.of(status));
                level.leaf(".git", where, kernel.status(descriptor, ".git"));
            } finally {
                kernel.close(descriptor);
            }
        }

        private void checkUnchanged(TreePath where, Status before, Status after) throws TreeChangedException {
            checkUnchanged(where, before, after, false);
        }

        /**
         * Checks that an entry is unchanged.
         *
         * @param isReopened whether this reader changed its mode, two ticks before it was read
         */
        private void checkUnchanged(TreePath where, Status before, Status after, boolean isReopened)
                throws TreeChangedException {
            if (replacedGit.isPresent()) {
                return;
            }
            if (isReopened && before.equals(after)) {
                return;
            }
            long changed = after.changed();
            long floor = changed % TimeUnit.SECONDS.toNanos(1) == 0 ? start - COARSE_TICK : start;
            if ((changed > floor && changed <= now()) || !before.equals(after)) {
                throw new TreeChangedException(where);
            }
        }

        /** Drops the identity: a file of a detached repository is new each time. */
        private Status recorded(Status status) {
            return replacedGit
                    .map(pointer -> new Status(
                            status.mode(),
                            pointer.owner(),
                            pointer.group(),
                            0,
                            0,
                            1,
                            status.isDirectory() ? 0 : status.size(),
                            pointer.modified(),
                            0))
                    .orElse(status);
        }
    }

    /** A file or link, opened on the visitor's request. */
    private final class Leaf implements Source, AutoCloseable {
        private final Level level;
        private final String name;
        private final TreePath where;
        private Status status;
        private boolean isReopened;
        private int descriptor = -1;

        Leaf(Level level, String name, TreePath where, Status status) {
            this.level = level;
            this.name = name;
            this.where = where;
            this.status = status;
        }

        @Override
        public int open() throws IOException {
            if (descriptor < 0) {
                try {
                    descriptor = opened();
                    if (start - status.changed() < WRITTEN_AFTER) {
                        kernel.writeBack(descriptor);
                    }
                    level.checkUnchanged(where, status, kernel.status(descriptor), isReopened);
                } catch (Fault fault) {
                    throw wrapped(where, fault);
                }
            }
            return descriptor;
        }

        private int opened() throws IOException {
            try {
                return kernel.openFile(level.directory, name);
            } catch (Fault fault) {
                if (!isClosedToOwner(fault)) {
                    throw fault;
                }
            }
            kernel.setMode(level.directory, name, status.mode() | OWNERS_READING);
            int reopened;
            try {
                reopened = kernel.openFile(level.directory, name);
            } finally {
                kernel.setMode(level.directory, name, status.mode());
            }
            Status now = kernel.status(reopened);
            if (!now.isSameFile(status) || now.size() != status.size() || now.modified() != status.modified()) {
                kernel.close(reopened);
                throw new TreeChangedException(where);
            }
            status = now;
            isReopened = true;
            awaitTicks();
            return reopened;
        }

        @Override
        public Map<String, String> attributes() throws IOException {
            return level.replacedGit.isPresent() ? Map.of() : Attributes.read(kernel, open());
        }

        @Override
        public String target() throws IOException {
            return kernel.target(level.directory, name);
        }

        void check() throws IOException {
            if (descriptor >= 0) {
                level.checkUnchanged(where, status, kernel.status(descriptor), isReopened);
            } else if (status.isLink()) {
                level.checkUnchanged(where, status, kernel.status(level.directory, name));
            }
        }

        @Override
        public void close() {
            if (descriptor >= 0) {
                kernel.close(descriptor);
            }
        }
    }
}
