package dev.paddock.executor.worktree;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mounts with which a sandbox keeps protected paths unchanged. Host paths; all of them existed when the plan was
 * compiled. Two equal plans need the same mounts.
 *
 * @param writable directories outside the worktree that commands need: a linked worktree's git directory and the common
 *     directory, at their own paths
 * @param pinned directories to mount onto themselves, writable, parents before children: a mount point cannot be
 *     renamed, so no command can replace a protected path's parent
 * @param readOnly files and directories to mount onto themselves read-only, after all other mounts
 * @param identities device and inode of each file and directory in {@code readOnly}: when a program of the host
 *     replaces a file by renaming another over it, the kernel detaches the mount, and a sandbox with that mount no
 *     longer protects the path
 * @param shown this JVM's files to mount over some in {@code readOnly}, by the paths of these: git would rewrite the
 *     originals, and cannot replace a mount point
 */
public record ProtectionPlan(
        List<Path> writable, List<Path> pinned, List<Path> readOnly, List<String> identities, Map<Path, Path> shown) {

    /** The plan without mounts, for a sandbox that mounts nothing. */
    public static final ProtectionPlan NONE = new ProtectionPlan(List.of(), List.of(), List.of(), List.of(), Map.of());

    /**
     * Creates a plan.
     *
     * @throws IllegalArgumentException if the number of identities is not that of the read-only
     *     mounts
     */
    public ProtectionPlan {
        writable = List.copyOf(writable);
        pinned = List.copyOf(pinned);
        readOnly = List.copyOf(readOnly);
        identities = List.copyOf(identities);
        shown = Map.copyOf(shown);
        if (identities.size() != readOnly.size()) {
            throw new IllegalArgumentException(
                    identities.size() + " identities for " + readOnly.size() + " read-only mounts");
        }
    }

    // Written out: the JDK would generate it in each JVM, at the first comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProtectionPlan that
                && writable.equals(that.writable)
                && pinned.equals(that.pinned)
                && readOnly.equals(that.readOnly)
                && identities.equals(that.identities)
                && shown.equals(that.shown);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * writable.hashCode() + pinned.hashCode()) + readOnly.hashCode()) + identities.hashCode();
    }

    /** Returns the file or directory to mount at a path in {@link #readOnly}. */
    public Path source(Path path) {
        return shown.getOrDefault(path, path);
    }

    /** Returns the plan without this JVM's files, for an engine that does not see them. */
    public ProtectionPlan withoutShown() {
        return new ProtectionPlan(writable, pinned, readOnly, identities, Map.of());
    }

    /** Returns whether the plan mounts exactly this file or directory read-only. */
    boolean mounts(Path path, String identity) {
        int index = readOnly.indexOf(path);
        return index >= 0 && identities.get(index).equals(identity);
    }
}
