/**
 * Transfers the bytes of child processes: pipe streams, the poller that waits for many
 * descriptors with one thread, and the heartbeat that all connections and journals share.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.process.io;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
