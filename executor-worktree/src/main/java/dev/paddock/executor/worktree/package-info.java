/**
 * Protects the worktree's files that the host may run or obey later.
 *
 * <p>More than fifteen classes, because they share one state, the baseline of a command, which no other package should
 * see: the guard takes it, the journal records it, settlement compares with it. The package {@code files} reads and
 * copies files, {@code git} implements git's rules, and {@code journal} coordinates processes; none of them uses a
 * baseline.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.worktree;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
