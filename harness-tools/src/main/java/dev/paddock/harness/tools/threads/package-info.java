/** The harness's threads: daemons that inherit no caller's thread-locals. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.tools.threads;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
