/** Processes of guests, and the lines between them and the host. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.guest.bridge;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
