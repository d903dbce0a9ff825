/** The upkeep of Paddock's own backends for the command line. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.upkeep;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
