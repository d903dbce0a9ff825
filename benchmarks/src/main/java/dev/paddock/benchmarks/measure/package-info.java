/** Measuring: settings, rounds in turns, samples, and the table that they become. */
@NullMarked
package dev.paddock.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
