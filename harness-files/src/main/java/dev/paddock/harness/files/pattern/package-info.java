/** Globs, ignore rules and regular expressions with a time limit. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.files.pattern;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
