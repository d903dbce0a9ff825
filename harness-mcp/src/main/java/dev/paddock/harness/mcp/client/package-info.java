/** The MCP client side: connects to an MCP server and calls its tools for a session. */
@NullMarked
package dev.paddock.harness.mcp.client;

import org.jspecify.annotations.NullMarked;
