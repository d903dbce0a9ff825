/** Calls of the bindings by name, with arguments and results as JSON. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.bindings.call;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
