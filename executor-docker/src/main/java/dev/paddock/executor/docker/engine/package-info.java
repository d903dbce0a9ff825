/**
 * The connection to a Docker engine: its address, HTTP, and the processes it starts inside containers.
 *
 * <p>Fifteen classes: the rest of the executor uses seven; the others, mostly the engine's address, keys and HTTP, are
 * package-private.
 */
@NullMarked
package dev.paddock.executor.docker.engine;

import org.jspecify.annotations.NullMarked;
