/**
 * What the backends share that confine commands among the host's own files: a private home, and a command that is followed by
 * some tidying.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.confined;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
