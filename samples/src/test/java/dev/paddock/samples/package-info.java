/** Tests that run every sample. */
@NullMarked
package dev.paddock.samples;

import org.jspecify.annotations.NullMarked;
