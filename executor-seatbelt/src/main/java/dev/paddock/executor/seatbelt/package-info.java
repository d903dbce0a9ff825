/** Runs commands on macOS, confined by a profile for {@code sandbox-exec}. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.seatbelt;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
