/**
 * Runs commands in bubblewrap sandboxes compiled from a policy.
 *
 * <p>More than fifteen classes for one subject: from the policy to the argument list, the launch and the processes of a
 * sandbox. All but the executor and its provider are package-private.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.bwrap;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
