/**
 * The grants of a sandbox, independent of the backend:
 * {@link dev.paddock.executor.policy.SandboxPolicy} and its parts.
 *
 * <p>The constructors validate the values; a malformed one causes an
 * {@link java.lang.IllegalArgumentException} that names it. A backend refuses a policy that it
 * cannot enforce with {@link dev.paddock.executor.UnsupportedPolicyException}.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that run commands. SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.policy;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
