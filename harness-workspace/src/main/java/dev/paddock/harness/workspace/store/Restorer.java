package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.CopyReport;
import dev.paddock.harness.workspace.StoreException;
import dev.paddock.harness.workspace.tree.PartialDirectory;
import dev.paddock.harness.workspace.tree.TreeWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Writes a snapshot to a new directory, and compares each content with its hash. */
final class Restorer {
    private final Kernel kernel;
    private final StoreFiles files;
    private final Contents contents;
    private final TreeWriter writer;
    private final HashedCopy copy;
    private final ByteBuffer buffer = Memory.allocate(Intake.SMALL + 1);
    private long count;
    private long bytes;

    private Restorer(Kernel kernel, StoreFiles files, Contents contents, TreeWriter writer) {
        this.kernel = kernel;
        this.files = files;
        this.contents = contents;
        this.writer = writer;
        copy = new HashedCopy(kernel);
    }

    /** Restores a tree to a new path. */
    static CopyReport restore(Kernel kernel, StoreFiles files, Node root, Path target) throws IOException {
        Path to = PartialDirectory.target(target);
        try (Contents contents = new Contents(files);
                PartialDirectory partial = PartialDirectory.beside(kernel, to);
                TreeWriter writer = new TreeWriter(kernel, partial)) {
            Restorer restorer = new Restorer(kernel, files, contents, writer);
            restorer.directory(root);
            partial.commit();
            return new CopyReport(to, restorer.count, restorer.bytes, writer.omissions(), List.of());
        }
    }

    private void directory(Node directory) throws IOException {
        writer.enter(directory.name(), directory.metadata());
        for (Node child : directory.children()) {
            Fault.throwIfInterrupted();
            if (child.isDirectory()) {
                directory(child);
            } else if (child.isLink()) {
                writer.link(child.name(), child.metadata(), child.target());
            } else {
                count++;
                bytes += child.size();
                if (!child.linked() || !writer.linkAgain(child.name(), child.inode())) {
                    writer.file(child.name(), child.metadata(), to -> content(child, to));
                }
            }
        }
        writer.leave();
    }

    private void content(Node file, int to) throws IOException {
        Optional<byte[]> packed = file.size() <= Intake.SMALL ? contents.packed(file.hash()) : Optional.empty();
        if (packed.isPresent()) {
            buffer.put(0, packed.get());
            kernel.write(to, buffer, packed.get().length);
            return;
        }
        Path object = files.object(file.hash());
        if (!Files.exists(object)) {
            throw corrupt(object, "is missing");
        }
        int from = kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(object));
        try {
            boolean intact = kernel.status(from).size() == file.size()
                    && copy.copy(from, file.size(), copy.to(to)).equals(file.hash());
            if (!intact) {
                throw corrupt(object, "is cut or altered");
            }
            kernel.truncate(to, file.size());
        } finally {
            kernel.close(from);
        }
    }

    private static StoreException corrupt(Path object, String fault) {
        return new StoreException(
                StoreException.Reason.CORRUPT, "the content '" + object + "' " + fault + "; nothing was restored");
    }
}
