package dev.paddock.executor.policy;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One directory under its two names: where the host has it, and where a command sees it.
 *
 * @param hostPath the directory on the host, absolute and normalised
 * @param commandPath the directory on the command's side, absolute, without a trailing slash, {@code .} or {@code ..}
 */
public record PathMapping(Path hostPath, String commandPath) {

    /**
     * Makes a mapping.
     *
     * @throws IllegalArgumentException if a path is not absolute or not normalised; the message names it
     */
    public PathMapping {
        if (!hostPath.isAbsolute()) {
            throw new IllegalArgumentException("the host path is not absolute: '" + hostPath + "'");
        }
        hostPath = hostPath.normalize();
        commandPath = CommandPaths.requireNormal(commandPath);
    }

    /**
     * A directory that has the same name on both sides.
     *
     * @param path the directory, absolute
     * @return the mapping
     */
    public static PathMapping same(Path path) {
        return new PathMapping(path, path.normalize().toString());
    }

    /**
     * Whether both sides know the directory by the same name.
     *
     * @return true if nothing is mapped
     */
    public boolean isSame() {
        return hostPath.toString().equals(commandPath);
    }

    /**
     * The command-side name of a host path.
     *
     * @param path a host path, absolute
     * @return its name in there, or empty if it is not in the directory
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
     * The host's name of a command-side path. {@code /workshop} is not under {@code /work}.
     *
     * @param path a command-side path, absolute
     * @return its name on the host, or empty if it is not in the directory
     */
    public Optional<Path> toHost(String path) {
        return CommandPaths.below(commandPath, path).map(below -> below.isEmpty() ? hostPath : hostPath.resolve(below));
    }
}
