/** Globs of paths, for what a sandbox hides and for the file tools. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.pattern;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
