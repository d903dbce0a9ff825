/**
 * Runs commands in a Docker container: attached to a running one, or in one that Paddock manages.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.docker;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
