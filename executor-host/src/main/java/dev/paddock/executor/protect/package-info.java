/**
 * What of a worktree a command must not change: found, compiled into a plan for a sandbox's mounts, watched, and moved to
 * quarantine or restored where no mount can prevent it. For the backends; they share this one piece.
 */
@NullMarked
package dev.paddock.executor.protect;

import org.jspecify.annotations.NullMarked;
