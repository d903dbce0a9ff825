/**
 * What the backends share that run commands in sandboxes on the host: the sequence in which a command is started
 * ({@link dev.paddock.executor.confined.SandboxedSpawner}), and a private home. For the backends.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.confined;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
