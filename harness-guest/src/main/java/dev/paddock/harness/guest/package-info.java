/**
 * Guest code: {@link dev.paddock.harness.guest.GuestSession} runs it, behind two walls, the engine's
 * and the kernel's.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.guest;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
