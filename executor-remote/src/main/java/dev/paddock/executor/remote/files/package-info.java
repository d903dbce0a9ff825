/**
 * For Paddock's executors alone: commands whose worktree is synchronized with a remote system that shares no files with
 * the host.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.remote.files;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
