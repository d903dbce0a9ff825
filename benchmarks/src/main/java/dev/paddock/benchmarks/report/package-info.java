/** The results as text, JSON and SVG. */
@NullMarked
package dev.paddock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
