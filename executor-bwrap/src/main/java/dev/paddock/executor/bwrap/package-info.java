/** Runs commands in bubblewrap sandboxes compiled from a policy. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.bwrap;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
