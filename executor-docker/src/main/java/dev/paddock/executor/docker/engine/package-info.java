/**
 * The connection to a Docker engine: its address, HTTP, and the processes it starts inside
 * containers.
 *
 * <p>Fifteen classes: the rest of the executor uses seven, and the others, mostly the engine's address, keys and
 * HTTP, are visible to no other package.
 */
@NullMarked
package dev.paddock.executor.docker.engine;

import org.jspecify.annotations.NullMarked;
