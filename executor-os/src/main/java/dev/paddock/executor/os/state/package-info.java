/** The private state directory of an executor. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.os.state;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
