/** The Agent Client Protocol: serves sessions to an editor. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for the paddock command")
@NullMarked
package dev.paddock.harness.acp;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
