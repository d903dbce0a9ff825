package dev.paddock.executor.seatbelt;

import java.io.IOException;
import java.nio.file.Path;

/** Paths as the kernel compares them: without links, {@code /private/tmp} for {@code /tmp}. */
final class RealPaths {

    private RealPaths() {}

    /** The real path, also of what is not there: the part that is, resolved, and the rest as it was given. */
    static Path of(Path path) {
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
