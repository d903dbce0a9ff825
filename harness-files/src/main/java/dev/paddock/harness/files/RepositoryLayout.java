package dev.paddock.harness.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Refuses a write in a directory that git treats as a repository, or would after the write: one of any name with
 * {@code HEAD}, {@code objects} and {@code refs}, or with {@code HEAD} and {@code commondir}. The host's next git
 * command there would run programs that its configuration names, and the check after commands does not cover the writes
 * of file tools.
 */
final class RepositoryLayout {
    private RepositoryLayout() {}

    /** Examines each existing directory on the way from the root to a location. */
    static void check(Location where) throws IOException {
        if (where.root().file().isPresent()) {
            return;
        }
        Directory current = where.root().directory().openDirectory(".");
        try {
            for (String name : where.resolved()) {
                boolean isRepository = isRepository(current, WriteGuard.folded(name));
                Optional<Directory> next = enter(current, name);
                if (next.isEmpty()) {
                    if (isRepository) {
                        throw refused(where.shown());
                    }
                    return;
                }
                current.close();
                current = next.get();
                // A bare repository may have worktrees inside.
                if (isRepository && current.attributes(".git").isEmpty()) {
                    throw refused(where.shown());
                }
            }
        } finally {
            current.close();
        }
    }

    private static Optional<Directory> enter(Directory current, String name) throws IOException {
        Optional<BasicFileAttributes> found = current.attributes(name);
        return found.isPresent() && found.get().isDirectory()
                ? Optional.of(current.openDirectory(name))
                : Optional.empty();
    }

    /** Returns whether a directory would be a repository with one more entry. */
    private static boolean isRepository(Directory directory, String added) throws IOException {
        return has(directory, "HEAD", added)
                && (has(directory, "commondir", added)
                        || (has(directory, "objects", added) && has(directory, "refs", added)));
    }

    private static boolean has(Directory directory, String name, String added) throws IOException {
        return WriteGuard.folded(name).equals(added)
                || directory.attributes(name).isPresent();
    }

    private static FileException refused(String shown) {
        return new FileException(
                Reason.PROTECTED,
                shown,
                shown + " is or would be part of a git repository's own data, whatever the directory's name, and is not"
                        + " written by file tools. Use git through a command");
    }
}
