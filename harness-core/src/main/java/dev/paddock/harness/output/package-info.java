/**
 * What a command writes, kept within bounds: the tail in memory, the whole in a file, exact totals. One rendering serves
 * results, errors and background shells.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.output;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
