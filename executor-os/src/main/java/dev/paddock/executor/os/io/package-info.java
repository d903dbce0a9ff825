/** The threads of executors, the common heartbeat of connections and journals, and lines typed at a terminal. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.os.io;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
