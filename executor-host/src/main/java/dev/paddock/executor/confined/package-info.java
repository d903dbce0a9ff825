/**
 * What the backends share that confine commands among the host's own files: a private home, and a command that is followed by
 * some tidying. For the backends.
 */
@NullMarked
package dev.paddock.executor.confined;

import org.jspecify.annotations.NullMarked;
