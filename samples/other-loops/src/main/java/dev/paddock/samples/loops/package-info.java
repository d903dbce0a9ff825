/** Small programs to copy from, whose loop or model is not Paddock's. */
@NullMarked
package dev.paddock.samples.loops;

import org.jspecify.annotations.NullMarked;
