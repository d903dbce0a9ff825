/** The Model Context Protocol: a session's tools for the clients of others, and the tools of others' servers for a session. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.mcp;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
