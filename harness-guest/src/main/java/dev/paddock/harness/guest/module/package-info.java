/** Modules of guest code, read by the host and turned into JavaScript by a guest. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.guest.module;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
