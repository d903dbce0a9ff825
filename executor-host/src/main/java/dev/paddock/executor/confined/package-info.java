/**
 * What the backends share that run commands in sandboxes on the host: the sequence in which a command is started
 * ({@link dev.paddock.executor.confined.SandboxedSpawner}), and a private home. For the backends.
 */
@NullMarked
package dev.paddock.executor.confined;

import org.jspecify.annotations.NullMarked;
