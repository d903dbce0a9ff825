/** Runs commands in sandboxes of the kernel's Landlock and seccomp, with nothing to install. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.landlock;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
