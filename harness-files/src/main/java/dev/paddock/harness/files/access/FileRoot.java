package dev.paddock.harness.files.access;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.Set;

/**
 * A directory or file of the host to which access is given, and the path by which callers name it.
 *
 * @param shownAs the path that callers see: absolute, in plain form; {@code /} for a root that contains all others
 * @param host the directory or file on the host, absolute. Give every root but the first by its real path: a link put
 *     there later must have no effect
 * @param access whether it may be written
 * @param otherNames further paths by which callers may name the first root, absolute, in plain form
 * @since 0.1
 */
public record FileRoot(String shownAs, Path host, Mount.Access access, Set<String> otherNames) {

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
        otherNames = Set.copyOf(otherNames);
    }

    /**
     * Creates a root without further names.
     *
     * @param shownAs the path that callers see
     * @param host the directory or file on the host
     * @param access whether it may be written
     */
    public FileRoot(String shownAs, Path host, Mount.Access access) {
        this(shownAs, host, access, Set.of());
    }

    /**
     * Returns a writable root for a directory that commands see, too.
     *
     * @param worktree the directory on the host and as commands see it
     * @return the root, by the path that commands see
     */
    public static FileRoot of(PathMapping worktree) {
        return new FileRoot(worktree.commandPath(), worktree.hostPath(), Mount.Access.READ_WRITE);
    }

    /**
     * Returns a root for the worktree of a policy, also by its other name.
     *
     * @param policy the policy
     * @return the root, by the path that commands see
     */
    public static FileRoot ofWorktree(SandboxPolicy policy) {
        PathMapping worktree = policy.worktree();
        return new FileRoot(
                worktree.commandPath(),
                worktree.hostPath(),
                Mount.Access.READ_WRITE,
                policy.alias().map(Set::of).orElse(Set.of()));
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
     * Returns a read-only root, named by its host path.
     *
     * @param path the directory, absolute
     * @return the root
     */
    public static FileRoot readOnly(Path path) {
        return new FileRoot(path.normalize().toString(), path, Mount.Access.READ_ONLY);
    }
}
