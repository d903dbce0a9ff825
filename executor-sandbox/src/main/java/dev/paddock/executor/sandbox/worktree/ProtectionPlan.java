package dev.paddock.executor.sandbox.worktree;

import java.nio.file.Path;
import java.util.List;

/**
 * The mounts with which a sandbox keeps protected paths unchanged. Host paths; all of them existed
 * when the plan was compiled. Two equal plans need the same mounts.
 *
 * @param writable directories outside the worktree that commands need: a linked worktree's git
 *     directory and the common directory, at their own paths
 * @param pinned directories to mount onto themselves, writable, parents before children: a mount
 *     point cannot be renamed, so no command can move a protected path's parent away and put
 *     another in its place
 * @param readOnly files and directories to mount onto themselves read-only, after all other mounts
 */
public record ProtectionPlan(List<Path> writable, List<Path> pinned, List<Path> readOnly) {

    /** Creates a plan. */
    public ProtectionPlan {
        writable = List.copyOf(writable);
        pinned = List.copyOf(pinned);
        readOnly = List.copyOf(readOnly);
    }
}
