/** The Model Context Protocol: a session's tools for the clients of others, and the tools of others' servers for a session. */
@NullMarked
package dev.paddock.harness.mcp;

import org.jspecify.annotations.NullMarked;
