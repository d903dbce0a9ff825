/**
 * The agent session: its loop, its events and the model port.
 *
 * <p>More than fifteen classes: six are the public interface, and the others are the parts that one
 * builder assembles, each visible to no other package.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
