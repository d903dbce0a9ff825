/**
 * What a sandbox grants, said once for every backend: {@link dev.paddock.executor.policy.SandboxPolicy} and its parts.
 *
 * <p>The values validate themselves where they are made; a malformed one is an {@link java.lang.IllegalArgumentException}
 * that names the value. What a backend cannot enforce it refuses with
 * {@link dev.paddock.executor.UnsupportedPolicyException}.
 */
@NullMarked
package dev.paddock.executor.policy;

import org.jspecify.annotations.NullMarked;
