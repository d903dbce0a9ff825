/** Protection of the worktree's files that the host may run or obey later. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
