/** Paths as bytes, which are the names of files on Linux; readable reasons of file faults. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.path;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
