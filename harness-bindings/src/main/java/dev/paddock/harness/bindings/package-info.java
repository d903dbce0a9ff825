/**
 * Five capabilities over one directory, and no other access to the host:
 * {@link dev.paddock.harness.bindings.AgentContainer}.
 *
 * <p>More than fifteen classes: most are the public values and exceptions of the five bindings, which one container
 * assembles.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.bindings;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
