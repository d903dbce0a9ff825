/**
 * Binds the calls of the C library that start, watch and end processes.
 *
 * <p>More than fifteen classes, because they are one layer: each binds a few calls, and all share the lookup of
 * functions, the memory for arguments, and the numbers of calls and errors.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.os.posix;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
