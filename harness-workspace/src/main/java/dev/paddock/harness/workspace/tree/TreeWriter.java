package dev.paddock.harness.workspace.tree;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.harness.workspace.Omission;
import dev.paddock.harness.workspace.TreeException;
import dev.paddock.harness.workspace.TreePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes a tree into a directory under construction, entry by entry, parents before children. */
public final class TreeWriter implements AutoCloseable {
    private static final int SET_ID = 06000;

    private final Kernel kernel;
    private final Status self;
    private final int root;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Map<Long, TreePath> linked = new HashMap<>();
    private final List<Omission> omissions = new ArrayList<>();

    private record Level(int descriptor, String name, TreePath path, FileMetadata metadata) {}

    /** Writes the content of a new file. */
    @FunctionalInterface
    public interface Content {
        /** Writes to a descriptor. */
        void writeTo(int descriptor) throws IOException;
    }

    /** Creates a writer into an empty directory. */
    public TreeWriter(Kernel kernel, PartialDirectory partial) throws IOException {
        this.kernel = kernel;
        root = partial.descriptor();
        self = kernel.status(root);
    }

    /** Creates a directory, and writes into it until {@link #leave}; the first is the root itself. */
    public void enter(String name, FileMetadata metadata) throws IOException {
        if (levels.isEmpty()) {
            levels.push(new Level(root, "", TreePath.ROOT, metadata));
        } else {
            Level parent = levels.element();
            TreePath path = parent.path.child(name);
            guarded(path, () -> {
                kernel.makeDirectory(parent.descriptor, name);
                levels.push(new Level(kernel.openDirectory(parent.descriptor, name), name, path, metadata));
            });
        }
    }

    /** Completes the directory entered last. */
    public void leave() throws IOException {
        Level level = levels.pop();
        try {
            guarded(level.path, () -> complete(level.path, level.descriptor, level.metadata));
        } finally {
            if (level.descriptor != root) {
                kernel.close(level.descriptor);
            }
        }
    }

    /** Creates a file. */
    public void file(String name, FileMetadata metadata, Content content) throws IOException {
        Level level = levels.element();
        TreePath path = level.path.child(name);
        guarded(path, () -> {
            int descriptor = kernel.createFile(level.descriptor, name);
            try {
                content.writeTo(descriptor);
                complete(path, descriptor, metadata);
            } finally {
                kernel.close(descriptor);
            }
        });
    }

    /**
     * Creates a further name of an existing file.
     *
     * @param inode the number that identifies the names of a file
     * @return false if this is the first name, which the caller creates as a file
     */
    public boolean linkAgain(String name, long inode) throws IOException {
        Level level = levels.element();
        TreePath path = level.path.child(name);
        TreePath first = linked.putIfAbsent(inode, path);
        if (first == null) {
            return false;
        }
        guarded(path, () -> kernel.makeHardLink(root, first.bytes(), level.descriptor, name));
        return true;
    }

    /** Creates a symbolic link. */
    public void link(String name, FileMetadata metadata, String target) throws IOException {
        Level level = levels.element();
        guarded(level.path.child(name), () -> {
            kernel.makeLink(level.descriptor, name, target);
            kernel.setModified(level.descriptor, name, metadata.modified());
        });
    }

    private void complete(TreePath path, int descriptor, FileMetadata metadata) throws Fault {
        boolean own = metadata.owner() == self.owner() && metadata.group() == self.group();
        boolean kept = own || (self.owner() == 0 && takesOwner(path, descriptor, metadata));
        if (!Attributes.write(kernel, descriptor, metadata.attributes())) {
            omissions.add(new Omission(path, "its attributes, which the new file system does not support"));
        }
        // A set-user-id program must keep its owner.
        kernel.setMode(descriptor, kept ? metadata.mode() : metadata.mode() & ~SET_ID);
        kernel.setModified(descriptor, metadata.modified());
    }

    /** Sets the owner; in a container even a superuser may not set every one. */
    private boolean takesOwner(TreePath path, int descriptor, FileMetadata metadata) {
        try {
            kernel.setOwner(descriptor, metadata.owner(), metadata.group());
            return true;
        } catch (Fault fault) {
            omissions.add(new Omission(path, "its owner " + metadata.owner() + ": " + fault.getMessage()));
            return false;
        }
    }

    /** Returns the entries and attributes that could not be written; the tree is complete otherwise. */
    public List<Omission> omissions() {
        return omissions;
    }

    @FunctionalInterface
    private interface Action {
        void run() throws IOException;
    }

    private static void guarded(TreePath path, Action action) throws IOException {
        try {
            action.run();
        } catch (Fault fault) {
            throw new TreeException(path, "it cannot be written to the new directory: " + fault.getMessage());
        }
    }

    /** Closes the directories still open after a fault. */
    @Override
    public void close() {
        levels.forEach(level -> {
            if (level.descriptor != root) {
                kernel.close(level.descriptor);
            }
        });
    }
}
