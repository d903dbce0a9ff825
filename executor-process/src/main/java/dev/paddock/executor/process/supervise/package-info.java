/**
 * Waits for commands and ends them with their trees: on exit, abort, disposal and the death of the JVM.
 *
 * <p>More than fifteen classes: nine are the interface for authors of executors; the others, visible to no other
 * package, find, signal and reap processes.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.process.supervise;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
