/** Binds the calls of the C library that start, watch and end processes. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.process.posix;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
