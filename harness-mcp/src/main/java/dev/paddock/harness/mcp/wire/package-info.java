/** The wire format, one message per line: reading, writing, JSON. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.mcp.wire;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
