/** Contained access to files: every path is walked component by component from a directory that is held open, so that neither a link nor a link swapped in during the call leads out. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.files;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
