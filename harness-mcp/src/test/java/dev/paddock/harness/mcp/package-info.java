/** Tests of both sides of the protocol. */
@NullMarked
package dev.paddock.harness.mcp;

import org.jspecify.annotations.NullMarked;
