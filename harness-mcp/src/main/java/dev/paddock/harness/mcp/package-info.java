/**
 * The Model Context Protocol: serves a session's tools to MCP clients, and provides the tools of
 * MCP servers to a session.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.mcp;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
