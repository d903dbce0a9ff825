/** The contract of a command executor, as a test suite that an implementer extends. */
@Api(status = Api.Status.STABLE, audience = "SPI: for authors of executors, to test them")
@NullMarked
package dev.paddock.executor.tck;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
