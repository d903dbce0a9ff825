/** Families of measurements, each of which makes a table of its own. */
@NullMarked
package dev.paddock.benchmarks.family;

import org.jspecify.annotations.NullMarked;
