/** A session's tools, for an MCP client: the connection to the client, and the calls under way. */
@NullMarked
package dev.paddock.harness.mcp.server;

import org.jspecify.annotations.NullMarked;
