/**
 * What a command writes, kept within bounds: the tail in memory, the whole in a file, exact totals. One rendering serves
 * results, errors and background shells.
 */
@NullMarked
package dev.paddock.harness.output;

import org.jspecify.annotations.NullMarked;
