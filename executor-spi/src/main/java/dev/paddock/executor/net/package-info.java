/** Internet addresses by what they are for. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.net;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
