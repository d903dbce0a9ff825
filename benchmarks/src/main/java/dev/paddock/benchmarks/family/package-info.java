/** Families of measurements, each of which makes its own table. */
@NullMarked
package dev.paddock.benchmarks.family;

import org.jspecify.annotations.NullMarked;
