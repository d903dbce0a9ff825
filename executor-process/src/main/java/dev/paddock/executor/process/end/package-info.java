/** Ends processes and waits for their exit. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.process.end;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
