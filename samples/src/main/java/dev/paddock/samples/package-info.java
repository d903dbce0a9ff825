/** Small programs to copy from. */
@NullMarked
package dev.paddock.samples;

import org.jspecify.annotations.NullMarked;
