/** Tests of both sides of the protocol. */
@NullMarked
package dev.paddock.harness.acp;

import org.jspecify.annotations.NullMarked;
