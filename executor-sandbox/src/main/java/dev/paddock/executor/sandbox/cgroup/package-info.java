/** Cgroups, version 1 and 2: limits on memory, CPU and processes. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.sandbox.cgroup;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
