/**
 * Attacks on the protection of a worktree, judged by whether a planted program runs, and honest work
 * in it.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of sandboxes, in their tests")
@NullMarked
package dev.paddock.executor.tck.worktree;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
