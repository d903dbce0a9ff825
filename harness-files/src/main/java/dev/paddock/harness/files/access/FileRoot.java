package dev.paddock.harness.files.access;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import java.nio.file.Path;

/**
 * A directory or file of the host to which access is given, and the path by which callers name it.
 *
 * @param shownAs the path that callers see: absolute, in plain form; {@code /} for a root that holds
 *     all others
 * @param host the directory or file on the host, absolute. Every root but the first must be given by
 *     its real path, so that no link put there later has an effect
 * @param access whether it may be written
 */
public record FileRoot(String shownAs, Path host, Mount.Access access) {

    /**
     * Creates a root.
     *
     * @throws IllegalArgumentException if a path is not absolute, or {@code shownAs} is not in plain
     *     form; the message names it
     */
    public FileRoot {
        PathMapping mapping = new PathMapping(host, shownAs);
        host = mapping.hostPath();
        shownAs = mapping.commandPath();
    }

    /**
     * Returns a root for a directory that commands see as well, writable.
     *
     * @param worktree the directory on the host and as commands see it
     * @return the root, by the path that commands see
     */
    public static FileRoot of(PathMapping worktree) {
        return new FileRoot(worktree.commandPath(), worktree.hostPath(), Mount.Access.READ_WRITE);
    }

    /**
     * Returns a root for a mount of a policy.
     *
     * @param mount the mount
     * @return the root, by the path that commands see, with the mount's access
     */
    public static FileRoot of(Mount mount) {
        return new FileRoot(mount.target(), mount.source(), mount.access());
    }

    /**
     * Returns a root that may be read only and is named by its host path.
     *
     * @param path the directory, absolute
     * @return the root
     */
    public static FileRoot readOnly(Path path) {
        return new FileRoot(path.normalize().toString(), path, Mount.Access.READ_ONLY);
    }
}
