/** Observers of commands: the flight recorder, the audit trail and metrics. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.observe;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
