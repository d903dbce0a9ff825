/**
 * Grants made from the user's own surroundings: the programs of the {@code PATH}, caches of build
 * tools and the identity for git commits, each as mounts and variables that every executor has.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that run commands")
@NullMarked
package dev.paddock.executor.config.grant;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
