/**
 * Transfers the bytes of child processes: pipe streams, and the poller that waits for many
 * descriptors with one thread.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.os.stream;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
