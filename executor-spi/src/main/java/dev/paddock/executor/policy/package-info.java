/**
 * What a sandbox grants, said once for every backend: {@link dev.paddock.executor.policy.SandboxPolicy} and its parts.
 *
 * <p>The values validate themselves where they are made; a malformed one is an {@link java.lang.IllegalArgumentException}
 * that names the value. What a backend cannot enforce it refuses with
 * {@link dev.paddock.executor.UnsupportedPolicyException}.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that run commands. SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.policy;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
