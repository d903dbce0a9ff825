package dev.paddock.executor.sandbox.policy;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Resolves paths to the form that the kernel compares: without symbolic links, {@code /private/tmp}
 * for macOS's {@code /tmp}.
 */
public final class RealPaths {

    private RealPaths() {}

    /**
     * Returns the real path, even of a missing file: the existing part resolved, the rest unchanged.
     *
     * @param path an absolute path
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
