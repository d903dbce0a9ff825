package dev.paddock.harness.workspace.snapshot;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.harness.workspace.Change;
import dev.paddock.harness.workspace.CopyReport;
import dev.paddock.harness.workspace.Damage;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.store.SnapshotCache;
import dev.paddock.harness.workspace.store.SnapshotStore;
import dev.paddock.harness.workspace.store.StoreCheck;
import dev.paddock.harness.workspace.store.StoreFiles;
import dev.paddock.harness.workspace.store.StoreLock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Stores snapshots of a directory tree. A snapshot contains what a {@link TreeCopy} does, is complete or absent,
 * however the process ends, and can be restored after the tree is gone.
 *
 * <p>Reads only files whose change time, or another part of their status, differs from that of the tree's last
 * snapshot; stores equal contents once. Several trees may share a store, and several processes and threads may use it
 * concurrently: one writes, or several read.
 *
 * <p>First end the programs that write to the tree. A change during the call makes it fail; a write through a mapping
 * of a file on tmpfs, by a surviving program, goes undetected.
 *
 * <p>Defaults: no limit of the store's size; a minute to wait for other users of the store. Thread-safe.
 *
 * @since 0.1
 */
public final class Snapshots {
    private static final int MAX_LABEL_LENGTH = 1000;

    private final Path tree;
    private final StoreFiles files;
    private final long maxBytes;
    private final Duration wait;
    private final SnapshotCache cache = new SnapshotCache();

    private Snapshots(Path tree, StoreFiles files, Builder options) {
        this.tree = tree;
        this.files = files;
        maxBytes = options.maxBytes;
        wait = options.wait;
    }

    /**
     * Returns a builder.
     *
     * @param tree the directory of which snapshots are taken
     * @return the builder
     */
    public static Builder of(Path tree) {
        return new Builder(tree);
    }

    /** Builds a {@link Snapshots}. */
    public static final class Builder {
        private final Path tree;
        private Optional<Path> store = Optional.empty();
        private long maxBytes = Long.MAX_VALUE;
        private Duration wait = Duration.ofMinutes(1);

        private Builder(Path tree) {
            this.tree = tree;
        }

        /**
         * Sets the store's directory, which must be outside of the tree. It is created if it does not exist.
         *
         * @param directory the directory, on any file system
         * @return this builder
         */
        public Builder store(Path directory) {
            store = Optional.of(directory);
            return this;
        }

        /**
         * Limits the size of the store: the sum of its files' sizes. A snapshot that would exceed it
         * is refused.
         *
         * @param bytes at least 0
         * @return this builder
         */
        public Builder maxBytes(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("maxBytes is " + bytes + "; it must be at least 0");
            }
            maxBytes = bytes;
            return this;
        }

        /**
         * Sets how long to wait for other processes and threads that use the store.
         *
         * @param most at least zero
         * @return this builder
         */
        public Builder lockWait(Duration most) {
            if (most.isNegative()) {
                throw new IllegalArgumentException("lockWait is " + most + "; it must not be negative");
            }
            wait = most;
            return this;
        }

        /**
         * Opens the store.
         *
         * @return the snapshots
         * @throws IOException if there is no such tree, or the store cannot be created or is something
         *     else
         */
        public Snapshots open() throws IOException {
            Path at = store.orElseThrow(() -> new IllegalStateException("no store; set it with store(directory)"));
            Path real = tree.toRealPath();
            Path absolute = at.toAbsolutePath().normalize();
            if (real.startsWith(absolute)
                    || absolute.startsWith(real)
                    || absolute.startsWith(tree.toAbsolutePath().normalize())) {
                throw inside(real, at);
            }
            StoreFiles files = StoreFiles.open(absolute, wait);
            if (files.root().startsWith(real) || real.startsWith(files.root())) {
                throw inside(real, at);
            }
            return new Snapshots(real, files, this);
        }

        private static IOException inside(Path tree, Path store) {
            return new IOException("the store '" + store + "' and the tree '" + tree
                    + "' lie in each other; name a directory beside the tree");
        }
    }

    @FunctionalInterface
    private interface Operation<T> {
        T with(Kernel kernel) throws IOException;
    }

    private <T> T reading(Operation<T> operation) throws IOException {
        Kernel kernel = Kernel.create();
        return locked(kernel, StoreLock.toRead(kernel, files, wait), operation);
    }

    private <T> T writing(Operation<T> operation) throws IOException {
        Kernel kernel = Kernel.create();
        return locked(kernel, StoreLock.toWrite(kernel, files, wait), operation);
    }

    private static <T> T locked(Kernel kernel, StoreLock lock, Operation<T> operation) throws IOException {
        try {
            return operation.with(kernel);
        } finally {
            lock.close();
        }
    }

    private SnapshotStore store(Kernel kernel) {
        return new SnapshotStore(kernel, files, cache);
    }

    /**
     * Takes a snapshot. If nothing has changed since the tree's last snapshot and the label is the same, returns that
     * one and writes nothing.
     *
     * @param label the caller's text, at most 1,000 characters; may be empty
     * @return the snapshot
     * @throws dev.paddock.harness.workspace.TreeChangedException if the tree has changed meanwhile
     * @throws dev.paddock.harness.workspace.TreeException if an entry cannot be read
     * @throws dev.paddock.harness.workspace.StoreException if the store is full, damaged or in use
     * @throws IOException if the file system fails otherwise
     */
    public SnapshotInfo snapshot(String label) throws IOException {
        if (label.length() > MAX_LABEL_LENGTH) {
            throw new IllegalArgumentException("the label has " + label.length() + " characters; at most 1,000 fit");
        }
        return writing(kernel -> store(kernel).snapshot(tree, label, maxBytes));
    }

    /**
     * Returns the snapshots in the store, also those of other trees, the oldest first.
     *
     * @return the snapshots
     * @throws IOException if the store is damaged or in use
     */
    public List<SnapshotInfo> list() throws IOException {
        return reading(kernel -> store(kernel).list());
    }

    /**
     * Restores a snapshot to a new directory, which appears when it is complete. Compares each content with its hash.
     *
     * @param id the snapshot
     * @param target a new path in an existing directory
     * @return a description of the new tree
     * @throws dev.paddock.harness.workspace.StoreException if there is no such snapshot, or the store is damaged or in
     *     use; nothing is restored then
     * @throws IOException if the directory cannot be written
     */
    public CopyReport restore(String id, Path target) throws IOException {
        return reading(kernel -> store(kernel).restore(id, target));
    }

    /**
     * Copies the tree to a new directory, without the store.
     *
     * @param target a new path in an existing directory outside of the tree
     * @return a description of the copy
     * @throws IOException as {@link TreeCopy#copy} does
     */
    public CopyReport branch(Path target) throws IOException {
        return TreeCopy.copy(tree, target);
    }

    /**
     * Deletes a snapshot, and the contents that only it has.
     *
     * @param id the snapshot
     * @throws dev.paddock.harness.workspace.StoreException if there is no such snapshot; or if another is damaged: then
     *     this one is deleted, and no content is
     * @throws IOException if the store cannot be written
     */
    public void delete(String id) throws IOException {
        writing(kernel -> {
            store(kernel).delete(id);
            return this;
        });
    }

    /**
     * Compares two snapshots. Times and owners make no difference.
     *
     * @param from the id of the earlier one
     * @param to the id of the later one
     * @return the differences, in the order of the entries' names
     * @throws IOException if there is no such snapshot, or the store is damaged or in use
     */
    public List<Change> changes(String from, String to) throws IOException {
        return reading(kernel -> store(kernel).changes(from, to));
    }

    /**
     * Reads the whole store and compares each file with its hash.
     *
     * @return the damaged files; none if the store is intact
     * @throws IOException if the store cannot be read or is in use
     */
    public List<Damage> verify() throws IOException {
        return reading(kernel -> new StoreCheck(kernel, files).run());
    }
}
