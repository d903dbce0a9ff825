/**
 * The conformance matrix: policies that every backend is asked to enforce, and the observations
 * that show whether it does.
 */
@Api(status = Api.Status.STABLE, audience = "SPI: for authors of executors, to test them")
@NullMarked
package dev.paddock.executor.tck.conformance;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
