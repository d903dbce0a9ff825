/** A container as the engine knows it: its specification, state, events and removal. */
@NullMarked
package dev.paddock.executor.docker.container;

import org.jspecify.annotations.NullMarked;
