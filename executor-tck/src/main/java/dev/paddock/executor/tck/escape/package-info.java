/** Attempts to escape from a sandbox. */
@NullMarked
package dev.paddock.executor.tck.escape;

import org.jspecify.annotations.NullMarked;
