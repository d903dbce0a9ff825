/**
 * Transfers the bytes of child processes: pipe streams, and the poller that waits for many
 * descriptors with one thread.
 */
@NullMarked
package dev.paddock.executor.process.stream;

import org.jspecify.annotations.NullMarked;
