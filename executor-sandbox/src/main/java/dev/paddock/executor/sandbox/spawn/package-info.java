/** The sequence by which every backend starts a command in a sandbox. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
