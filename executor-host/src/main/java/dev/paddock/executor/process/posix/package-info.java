/** The few calls of the C library that process handling needs, and the values that pass through them. Internal. */
@NullMarked
package dev.paddock.executor.process.posix;

import org.jspecify.annotations.NullMarked;
