package dev.paddock.harness.workspace.snapshot;

import dev.paddock.executor.os.file.FileContents;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.CopyReport;
import dev.paddock.harness.workspace.Omission;
import dev.paddock.harness.workspace.tree.FileMetadata;
import dev.paddock.harness.workspace.tree.PartialDirectory;
import dev.paddock.harness.workspace.tree.Source;
import dev.paddock.harness.workspace.tree.TreeReader;
import dev.paddock.harness.workspace.tree.TreeVisitor;
import dev.paddock.harness.workspace.tree.TreeWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Copies a directory tree exactly: names of any bytes, contents with their holes, permissions, modification times,
 * symbolic links as links, hard links within the tree, empty directories and {@code user.*} attributes; owners, if the
 * user is the superuser. Shares blocks where the file system can. Omits sockets, pipes and devices.
 *
 * <p>The copy is the tree at the time of the call. A program that writes to it meanwhile makes the call fail, except
 * through a mapping of a file on tmpfs, which updates no change time.
 *
 * <p>A {@code .git} file that leads out of the tree would make a commit in the copy change the original's repository.
 * For a linked worktree the copy gets its own repository, which refers to the objects of the original's; any other such
 * {@code .git} is omitted.
 *
 * @since 0.1
 */
public final class TreeCopy {
    private static final int PERMISSIONS = 0777;

    private TreeCopy() {}

    /**
     * Copies a tree to a new directory, which appears when it is complete.
     *
     * @param tree an existing directory
     * @param copy a new path in an existing directory outside of the tree
     * @return a description of the copy
     * @throws dev.paddock.harness.workspace.TreeChangedException if the tree has changed meanwhile
     * @throws dev.paddock.harness.workspace.TreeException if an entry cannot be read or written
     * @throws IOException if the copy's directory cannot be created
     */
    public static CopyReport copy(Path tree, Path copy) throws IOException {
        Kernel kernel = Kernel.create();
        Path from = tree.toRealPath();
        Path to = PartialDirectory.target(copy);
        if (to.startsWith(from)) {
            throw new IOException("cannot copy '" + tree + "' to '" + copy + "': the copy would contain itself");
        }
        try (PartialDirectory scratch = PartialDirectory.beside(kernel, to);
                PartialDirectory partial = PartialDirectory.beside(kernel, to);
                TreeWriter writer = new TreeWriter(kernel, partial)) {
            Copying copying = new Copying(writer, new FileContents(kernel));
            new TreeReader(kernel, from, scratch.directory(), copying).read();
            partial.commit();
            copying.omissions.addAll(writer.omissions());
            return new CopyReport(to, copying.files, copying.bytes, copying.omissions, copying.borrowed);
        }
    }

    /**
     * Copies a regular file to a new one, with its holes, permissions and modification time. Refuses a pipe or a
     * device.
     *
     * @param file the file; a link is followed
     * @param copy a new path
     * @throws IOException if it is no regular file, or cannot be copied
     */
    public static void copyFile(Path file, Path copy) throws IOException {
        Kernel kernel = Kernel.create();
        int from = kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(file.toRealPath()));
        try {
            Status status = kernel.status(from);
            if (!status.isFile()) {
                throw new IOException("it is a " + status.kind() + ", and not a file");
            }
            int to = kernel.createFile(Kernel.NO_DIRECTORY, PathBytes.of(copy));
            try {
                new FileContents(kernel).copy(from, to, status.size());
                kernel.setMode(to, status.mode() & PERMISSIONS);
                kernel.setModified(to, status.modified());
            } finally {
                kernel.close(to);
            }
        } finally {
            kernel.close(from);
        }
    }

    private static final class Copying implements TreeVisitor {
        private final TreeWriter writer;
        private final FileContents contents;
        private final List<Omission> omissions = new ArrayList<>();
        private final List<Path> borrowed = new ArrayList<>();
        private long device = -1;
        private long files;
        private long bytes;

        Copying(TreeWriter writer, FileContents contents) {
            this.writer = writer;
            this.contents = contents;
        }

        @Override
        public void enter(String name, Status status, Source source) throws IOException {
            device = device == -1 ? status.device() : device;
            writer.enter(name, metadata(status, source.attributes()));
        }

        @Override
        public void leave() throws IOException {
            writer.leave();
        }

        @Override
        public void file(String name, Status status, Source source) throws IOException {
            files++;
            bytes += status.size();
            boolean linked = status.links() > 1 && status.device() == device;
            if (!linked || !writer.linkAgain(name, status.inode())) {
                writer.file(
                        name,
                        metadata(status, source.attributes()),
                        to -> contents.copy(source.open(), to, status.size()));
            }
        }

        @Override
        public void link(String name, Status status, Source source) throws IOException {
            writer.link(name, metadata(status, Map.of()), source.target());
        }

        private static FileMetadata metadata(Status status, Map<String, String> attributes) {
            return new FileMetadata(status.mode(), status.owner(), status.group(), status.modified(), attributes);
        }

        @Override
        public void omit(Omission omission) {
            omissions.add(omission);
        }

        @Override
        public void borrow(Path objects) {
            borrowed.add(objects);
        }
    }
}
