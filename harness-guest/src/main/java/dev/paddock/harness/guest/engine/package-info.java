/** The program that runs inside the sandbox, with the engine. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.guest.engine;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
