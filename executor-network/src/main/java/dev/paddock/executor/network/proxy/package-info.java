/** The host's own proxy, and the one that commands are offered. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.network.proxy;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
