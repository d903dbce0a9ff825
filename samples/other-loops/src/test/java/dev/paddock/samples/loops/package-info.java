/** Tests of the samples. */
@NullMarked
package dev.paddock.samples.loops;

import org.jspecify.annotations.NullMarked;
