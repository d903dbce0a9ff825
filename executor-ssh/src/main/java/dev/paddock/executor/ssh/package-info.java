/** Runs commands on a host that {@code ssh} reaches. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.ssh;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
