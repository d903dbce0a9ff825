/** Events of a session and their listeners. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.events;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
