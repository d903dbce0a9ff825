/** The directories that executors keep for themselves: where they stand, how they are made, swept and removed. */
@NullMarked
package dev.paddock.executor.sandbox.state;

import org.jspecify.annotations.NullMarked;
