/** The agent session: its loop, its events and the model port. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
