/** Commands in an open container: its control shell, its slots, the running commands. */
@NullMarked
package dev.paddock.executor.docker.command;

import org.jspecify.annotations.NullMarked;
