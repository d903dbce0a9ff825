/** The system-call filter of all Linux sandboxes. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.sandbox.seccomp;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
