/** Directories that the program that created them removes, or the next program after it was killed. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.workspace.owned;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
