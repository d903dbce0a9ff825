/** Tells people and models what a sandbox allows, and which option grants what a command lacked. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.tools.hint;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
