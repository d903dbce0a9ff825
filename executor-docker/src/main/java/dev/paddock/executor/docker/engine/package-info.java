/**
 * The connection to a Docker engine: its address, HTTP, and the processes it starts inside
 * containers.
 */
@NullMarked
package dev.paddock.executor.docker.engine;

import org.jspecify.annotations.NullMarked;
