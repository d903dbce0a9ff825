/**
 * What of a worktree a command must not change: found, compiled into a plan for a sandbox's mounts, watched, and moved to
 * quarantine or restored where no mount can prevent it. For the backends; they share this one piece.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.protect;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
