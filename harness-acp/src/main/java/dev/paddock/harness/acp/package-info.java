/** The Agent Client Protocol: serves sessions to an editor. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.acp;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
