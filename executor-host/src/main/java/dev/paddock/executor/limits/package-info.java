/** Resource limits by control group and by rlimit, for the backends that run commands on this machine. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.limits;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
