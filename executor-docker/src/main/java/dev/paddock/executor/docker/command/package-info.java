/** Commands in a container that is in use: its control shell, its slots, the commands that run. */
@NullMarked
package dev.paddock.executor.docker.command;

import org.jspecify.annotations.NullMarked;
