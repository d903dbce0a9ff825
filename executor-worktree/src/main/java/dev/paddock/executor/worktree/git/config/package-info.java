/** The grammar of git's configuration files. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.worktree.git.config;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
