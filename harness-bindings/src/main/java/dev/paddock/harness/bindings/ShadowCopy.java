package dev.paddock.harness.bindings;

import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.workspace.owned.OwnedDirectory;
import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy of a container's writable parts, its root and its writable mounts. {@link #close} removes it with its
 * temporary directory; if the JVM is killed, the next JVM that makes a copy does, or a sweep.
 */
final class ShadowCopy implements AutoCloseable {
    /** The beginning of the temporary directory's name; the root's name follows. */
    static final String PREFIX = "agent-container-shadow-";

    private final OwnedDirectory parent;
    private final Path root;

    private ShadowCopy(OwnedDirectory parent, Path root) {
        this.parent = parent;
        this.root = root;
    }

    static ShadowCopy of(Path original) {
        String name = String.valueOf(original.getFileName());
        OwnedDirectory parent;
        try {
            parent = OwnedDirectory.create(OwnedDirectory.temporary(), PREFIX + name);
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "no temporary directory for a copy of '" + original + "' could be made: "
                            + FileFaults.reason(fault),
                    fault);
        }
        ShadowCopy copy = new ShadowCopy(parent, parent.path().resolve(name));
        try {
            copy(original, copy.root);
            return copy;
        } catch (RuntimeException fault) {
            copy.close();
            throw fault;
        }
    }

    /** Returns the mounts, with copies in place of writable sources. */
    List<Mount> mounts(List<Mount> originals) {
        List<Mount> mounts = new ArrayList<>();
        for (Mount mount : originals) {
            if (mount.access() == Mount.Access.READ_WRITE) {
                Path copy = parent.path().resolve("mount-" + mounts.size());
                copy(mount.source(), copy);
                mounts.add(new Mount(copy, mount.target(), mount.access()));
            } else {
                mounts.add(mount);
            }
        }
        return mounts;
    }

    private static void copy(Path original, Path copy) {
        try {
            if (Files.isDirectory(original)) {
                TreeCopy.copy(original, copy);
            } else {
                TreeCopy.copyFile(original, copy);
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "'" + original + "' could not be copied: " + FileFaults.reason(fault), fault);
        }
    }

    Path root() {
        return root;
    }

    @Override
    public void close() {
        try {
            parent.close();
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the copy '" + parent.path() + "' could not be removed: " + FileFaults.reason(fault)
                            + "; remove it yourself",
                    fault);
        }
    }
}
