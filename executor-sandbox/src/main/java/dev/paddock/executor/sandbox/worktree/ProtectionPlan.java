package dev.paddock.executor.sandbox.worktree;

import java.nio.file.Path;
import java.util.List;

/**
 * What a sandbox has to mount so that protected paths stay as they are. Host paths, all of them existing when the plan was
 * made. Two equal plans need the same mounts.
 *
 * @param writable directories outside the worktree that commands need: a linked worktree's git directory and the common
 *     directory, at their own paths
 * @param pinned directories to mount onto themselves, writable, parents before children: a mount point cannot be renamed,
 *     and so nobody moves a protected path's parent away to put another in its place
 * @param readOnly files and directories to mount onto themselves read-only, after everything else
 */
public record ProtectionPlan(List<Path> writable, List<Path> pinned, List<Path> readOnly) {

    /** Makes a plan. */
    public ProtectionPlan {
        writable = List.copyOf(writable);
        pinned = List.copyOf(pinned);
        readOnly = List.copyOf(readOnly);
    }
}
