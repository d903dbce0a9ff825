package dev.paddock.harness.bindings;

import dev.paddock.harness.workspace.owned.OwnedDirectory;
import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A copy of a container's root for its guests, removed with everything beside it; after the JVM was
 * killed, by the next one that makes a copy, or by a sweep.
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
                    "no temporary directory for a copy of '" + original + "' could be made: " + fault.getMessage(),
                    fault);
        }
        ShadowCopy copy = new ShadowCopy(parent, parent.path().resolve(name));
        try {
            TreeCopy.copy(original, copy.root);
            return copy;
        } catch (IOException | RuntimeException fault) {
            copy.close();
            throw fault instanceof RuntimeException unchecked
                    ? unchecked
                    : new UncheckedIOException(
                            "'" + original + "' could not be copied: " + fault.getMessage(), (IOException) fault);
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
                    "the copy '" + parent.path() + "' could not be removed: " + fault.getMessage()
                            + "; remove it yourself",
                    fault);
        }
    }
}
