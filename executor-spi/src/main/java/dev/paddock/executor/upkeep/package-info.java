/** What Paddock's own backends do for the command line, besides running commands. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.upkeep;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
