/** Checks policies against a backend's capabilities, in the same way for every backend. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.sandbox.policy;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
