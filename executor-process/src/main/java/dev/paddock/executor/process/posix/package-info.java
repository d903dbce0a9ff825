/** The C library: the calls that starting, watching and ending processes take. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.process.posix;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
