/** Tests of the tool callbacks, in their own package. */
@NullMarked
package dev.paddock.harness.springai;

import org.jspecify.annotations.NullMarked;
