package dev.paddock.executor.policy;

import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file or directory of the host that a command sees besides the worktree.
 *
 * @param source its real path on the host: absolute, without links. It existed when the mount was
 *     made
 * @param target its path on the command's side, absolute, in plain form
 * @param access whether the command may write there
 * @since 0.1
 */
public record Mount(Path source, String target, Access access) {

    /**
     * A writable mount of one of these, or of a directory above one, would give the command control
     * of the machine.
     */
    private static final List<Path> SYSTEM_ROOTS = Stream.of(
                    "/", "/etc", "/root", "/home", "/boot", "/sys", "/proc", "/dev", "/usr", "/bin", "/sbin", "/lib",
                    "/lib64", "/var", "/run", "/opt", "/srv")
            .map(Path::of)
            .toList();

    /**
     * The home directory of commands in sandboxes that map paths, as bubblewrap and containers do:
     * what {@code ~} means in a target. Where paths are not mapped, such a target is refused.
     */
    public static final String HOME = "/home/paddock";

    /** The access of a command to a mount. */
    public enum Access {
        /** Read only. */
        READ_ONLY,
        /** Read and write. */
        READ_WRITE
    }

    /**
     * Creates a mount. The source is resolved to its real path, once: changing a link later has no
     * effect.
     *
     * @throws IllegalArgumentException if the source is not absolute or does not exist, if a
     *     writable source is a system root or above one, or if the target is not an absolute path
     *     in plain form; the message names the value
     */
    public Mount {
        if (!source.isAbsolute()) {
            throw new IllegalArgumentException("the mount's source is not absolute: '" + source + "'");
        }
        Path given = source.normalize();
        source = realPath(source);
        target = CommandPaths.requireNormal(target);
        if (target.equals("/")) {
            throw new IllegalArgumentException("a mount's target cannot be the root: '" + given + ":" + target + "'");
        }
        if (access == Access.READ_WRITE) {
            requireNoSystemRoot(given, source);
        }
    }

    /**
     * Parses a mount in the form of the command line, {@code SRC:DST[:ro|rw]}; {@code ro} by
     * default. A {@code DST} may begin with {@code ~/}, as {@link #target} says.
     *
     * @param text the mount; a colon cannot be part of a path in this form
     * @param base the directory that a relative source is resolved against
     * @return the mount
     * @throws IllegalArgumentException if the text has another form, or as the constructor throws
     */
    public static Mount parse(String text, Path base) {
        String[] parts = text.split(":", -1);
        boolean wellFormed = parts.length == 2 || parts.length == 3;
        if (!wellFormed || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new IllegalArgumentException("a mount is SRC:DST or SRC:DST:ro or SRC:DST:rw, not '" + text + "'");
        }
        Access access = parts.length == 2 ? Access.READ_ONLY : parseAccess(parts[2], text);
        return new Mount(base.resolve(parts[0]), target(parts[1]), access);
    }

    /**
     * Returns the path that a target means.
     *
     * @param text an absolute path, or one that begins with {@code ~/}, the commands' home directory
     * @return the path, absolute
     */
    public static String target(String text) {
        return text.startsWith("~/") ? HOME + text.substring(1) : text;
    }

    private static Access parseAccess(String word, String text) {
        return switch (word) {
            case "ro" -> Access.READ_ONLY;
            case "rw" -> Access.READ_WRITE;
            default ->
                throw new IllegalArgumentException("a mount ends with ro or rw, not '" + word + "': '" + text + "'");
        };
    }

    private static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException fault) {
            String problem =
                    Files.notExists(path) ? "does not exist" : "cannot be resolved (" + FileFaults.reason(fault) + ")";
            throw new IllegalArgumentException("the mount's source " + problem + ": '" + path + "'", fault);
        }
    }

    private static void requireNoSystemRoot(Path given, Path real) {
        for (Path root : SYSTEM_ROOTS) {
            if (root.startsWith(given) || root.startsWith(real)) {
                throw new IllegalArgumentException(
                        "a writable mount of '" + given + "' would open the system directory " + root
                                + " to commands; mount it read-only or mount a directory below it");
            }
        }
    }
}
