/** Environment variables that shells treat specially, and those that harm nobody. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.variable;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
