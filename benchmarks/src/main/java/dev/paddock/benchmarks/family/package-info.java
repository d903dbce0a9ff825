/**
 * Families of measurements, each of which makes its own table.
 *
 * <p>More than fifteen classes, because each family is one class, which nothing else refers to.
 */
@NullMarked
package dev.paddock.benchmarks.family;

import org.jspecify.annotations.NullMarked;
