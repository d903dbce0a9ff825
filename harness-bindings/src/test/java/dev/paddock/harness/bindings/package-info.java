/** Tests of the bindings. */
@NullMarked
package dev.paddock.harness.bindings;

import org.jspecify.annotations.NullMarked;
