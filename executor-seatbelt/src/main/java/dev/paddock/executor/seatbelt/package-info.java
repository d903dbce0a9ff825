/** Runs commands on macOS, confined by a profile for {@code sandbox-exec}. */
@NullMarked
package dev.paddock.executor.seatbelt;

import org.jspecify.annotations.NullMarked;
