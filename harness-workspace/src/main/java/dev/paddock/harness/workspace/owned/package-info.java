/** Directories that are removed with the program that made them, or after it was killed. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.workspace.owned;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
