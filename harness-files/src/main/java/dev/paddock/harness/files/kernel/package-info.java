/** Recognizes the kernel's own file systems. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.files.kernel;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
