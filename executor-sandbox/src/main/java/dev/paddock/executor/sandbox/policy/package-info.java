/** Checks policies, for every backend alike, against the backend's capabilities. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.sandbox.policy;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
