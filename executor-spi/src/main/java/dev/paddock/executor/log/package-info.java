/** The platform's logger, found at the first message. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.log;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
