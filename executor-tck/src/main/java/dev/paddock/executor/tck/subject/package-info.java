/**
 * The integrator's input to the contract: the executor under test, and the faults it can suffer.
 * Exported with the contract.
 */
@Api(status = Api.Status.STABLE, audience = "SPI: for authors of executors, to test them")
@NullMarked
package dev.paddock.executor.tck.subject;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
