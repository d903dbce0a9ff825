package dev.paddock.executor.sandbox.policy;

import java.io.IOException;
import java.nio.file.Path;

/** Paths as the kernel compares them: without links, {@code /private/tmp} for macOS's {@code /tmp}. */
public final class RealPaths {

    private RealPaths() {}

    /**
     * Returns the real path, also of a file that does not exist: the part that exists, resolved, and the rest as given.
     *
     * @param path an absolute path
     * @return the path without links
     */
    public static Path of(Path path) {
        Path plain = path.normalize();
        try {
            return plain.toRealPath();
        } catch (IOException absent) {
            Path parent = plain.getParent();
            Path name = plain.getFileName();
            return parent == null || name == null ? plain : of(parent).resolve(name);
        }
    }
}
