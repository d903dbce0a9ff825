/** Small programs to copy from. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: to copy from, not to depend on")
@NullMarked
package dev.paddock.samples;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
