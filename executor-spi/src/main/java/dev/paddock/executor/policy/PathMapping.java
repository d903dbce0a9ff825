package dev.paddock.executor.policy;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps between the host path and the command-side path of one directory.
 *
 * @param hostPath the directory on the host, absolute and normalized
 * @param commandPath the directory on the command's side, absolute, without a trailing slash,
 *     {@code .} or {@code ..}
 * @since 0.1
 */
public record PathMapping(Path hostPath, String commandPath) {

    /**
     * Creates a mapping.
     *
     * @throws IllegalArgumentException if a path is not absolute or not normalized; the message
     *     names it
     */
    public PathMapping {
        if (!hostPath.isAbsolute()) {
            throw new IllegalArgumentException("the host path is not absolute: '" + hostPath + "'");
        }
        hostPath = hostPath.normalize();
        commandPath = CommandPaths.requireNormal(commandPath);
    }

    /**
     * Returns the mapping of a directory that has the same path on both sides.
     *
     * @param path the directory, absolute
     * @return the mapping
     */
    public static PathMapping same(Path path) {
        return new PathMapping(path, path.normalize().toString());
    }

    /**
     * Returns whether the directory has the same path on both sides.
     *
     * @return true if nothing is mapped
     */
    public boolean isSame() {
        return hostPath.toString().equals(commandPath);
    }

    /**
     * Returns the command-side path of a host path.
     *
     * @param path a host path, absolute
     * @return its path on the command's side, or empty if it is not in the directory
     */
    public Optional<String> toCommand(Path path) {
        Path normal = path.normalize();
        if (!normal.startsWith(hostPath)) {
            return Optional.empty();
        }
        Path below = hostPath.relativize(normal);
        return Optional.of(
                below.toString().isEmpty() ? commandPath : CommandPaths.resolve(commandPath, below.toString()));
    }

    /**
     * Returns the host path of a command-side path. {@code /workshop} is not under {@code /work}.
     *
     * @param path a command-side path, absolute
     * @return its path on the host, or empty if it is not in the directory
     */
    public Optional<Path> toHost(String path) {
        return CommandPaths.below(commandPath, path).map(below -> below.isEmpty() ? hostPath : hostPath.resolve(below));
    }

    // By hand: a record's generated methods are linked in each JVM, which takes longer than many commands.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PathMapping that
                && hostPath.equals(that.hostPath)
                && commandPath.equals(that.commandPath);
    }

    @Override
    public int hashCode() {
        return 31 * hostPath.hashCode() + commandPath.hashCode();
    }
}
