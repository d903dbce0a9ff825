/** Runs guest code: {@link dev.paddock.harness.guest.session.GuestSession}. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.guest.session;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
