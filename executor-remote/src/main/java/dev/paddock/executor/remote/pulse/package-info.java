/** For Paddock's executors alone: notices that a place has fallen silent. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.remote.pulse;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
