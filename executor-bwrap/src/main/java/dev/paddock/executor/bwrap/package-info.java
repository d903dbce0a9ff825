/** Runs commands in bubblewrap sandboxes compiled from a policy. */
@NullMarked
package dev.paddock.executor.bwrap;

import org.jspecify.annotations.NullMarked;
