/** The contract of a command executor, as a test suite that an implementer extends. */
@NullMarked
package dev.paddock.executor.tck;

import org.jspecify.annotations.NullMarked;
