/** The MCP server side: the connection to a client and its calls in progress. */
@NullMarked
package dev.paddock.harness.mcp.server;

import org.jspecify.annotations.NullMarked;
