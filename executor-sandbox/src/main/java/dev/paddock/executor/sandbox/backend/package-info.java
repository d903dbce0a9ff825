/** The building blocks of this machine's executors and their providers. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
