/** A container as the engine knows it: how it is specified, its state, its events, its removal. */
@NullMarked
package dev.paddock.executor.docker.container;

import org.jspecify.annotations.NullMarked;
