/** Guest code, its options, its result and its errors, for the sessions that run it. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.guest;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
