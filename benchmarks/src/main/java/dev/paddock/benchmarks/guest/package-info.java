/** Guest code, beside the same code in other programs. */
@NullMarked
package dev.paddock.benchmarks.guest;

import org.jspecify.annotations.NullMarked;
