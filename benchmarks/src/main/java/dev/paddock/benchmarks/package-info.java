/** The measurements behind {@code ./paddock bench}. */
@NullMarked
package dev.paddock.benchmarks;

import org.jspecify.annotations.NullMarked;
