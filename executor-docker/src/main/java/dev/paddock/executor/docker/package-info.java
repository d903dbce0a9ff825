/** Commands in a container: attached to one that runs, or managing one of its own. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.docker;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
