/** Messages of the protocol, one a line: reading, writing, JSON. */
@NullMarked
package dev.paddock.harness.mcp.wire;

import org.jspecify.annotations.NullMarked;
