/** The tools of an MCP server, for a session: the connection to the server, and the calls. */
@NullMarked
package dev.paddock.harness.mcp.client;

import org.jspecify.annotations.NullMarked;
