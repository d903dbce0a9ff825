/** Synchronizes a worktree with a directory on a remote system that shares no files with the host. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.remote.sync;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
