/** Every sample is run. */
@NullMarked
package dev.paddock.samples;

import org.jspecify.annotations.NullMarked;
