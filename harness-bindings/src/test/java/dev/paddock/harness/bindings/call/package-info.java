/** Tests of the bindings' calls by name. */
@NullMarked
package dev.paddock.harness.bindings.call;

import org.jspecify.annotations.NullMarked;
