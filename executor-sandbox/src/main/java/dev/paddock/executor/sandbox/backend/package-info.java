/** The parts from which the executors of this machine, and their providers, are made. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
