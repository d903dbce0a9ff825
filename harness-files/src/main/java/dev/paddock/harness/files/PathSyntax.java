package dev.paddock.harness.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Refuses malformed paths. */
final class PathSyntax {
    private static final int MAX_PATH_LENGTH = 4_096;
    private static final int MAX_NAME_LENGTH = 255;
    private static final int MAX_COMPONENTS = 256;

    private PathSyntax() {}

    static void requireSane(String path) {
        if (path.isEmpty()) {
            throw new FileException(
                    Reason.INVALID_PATH, path, "the path is empty. Name a file, or '.' for the worktree");
        }
        if (path.indexOf('\0') >= 0) {
            String shown = path.replace("\0", "\\0");
            throw new FileException(Reason.INVALID_PATH, shown, "the path contains a NUL character: '" + shown + "'");
        }
        if (bytes(path) > MAX_PATH_LENGTH) {
            throw new FileException(
                    Reason.INVALID_PATH, path, "the path is longer than " + MAX_PATH_LENGTH + " bytes: " + bytes(path));
        }
        for (String name : GrantedDirectory.components(path)) {
            requireName(name, path);
        }
    }

    private static void requireName(String name, String path) {
        if (bytes(name) > MAX_NAME_LENGTH) {
            throw new FileException(
                    Reason.INVALID_PATH,
                    path,
                    "a name in the path is longer than " + MAX_NAME_LENGTH + " bytes: '" + name + "'");
        }
        try {
            EntryName.path(name);
        } catch (InvalidPathException e) {
            throw new FileException(
                    Reason.INVALID_PATH, path, "not a path on this system: '" + path + "' (" + e.getReason() + ")");
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    static void requireReasonable(int components, String shown) {
        if (components > MAX_COMPONENTS) {
            throw new FileException(
                    Reason.INVALID_PATH, shown, "the path has more than " + MAX_COMPONENTS + " components: " + shown);
        }
    }

    /** Returns whether a path is absolute, including {@code /x}, which Java on Windows does not accept. */
    static boolean isAbsolute(String path) {
        return path.startsWith("/")
                || (File.separatorChar != '/' && Path.of(path).isAbsolute());
    }
}
