/** The wire format, one message per line: reading, writing, JSON. */
@NullMarked
package dev.paddock.harness.mcp.wire;

import org.jspecify.annotations.NullMarked;
