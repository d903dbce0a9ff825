/** The tools that a session offers to its model, and the types for writing further tools. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock. SPI: for authors of tools")
@NullMarked
package dev.paddock.harness.tools;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
