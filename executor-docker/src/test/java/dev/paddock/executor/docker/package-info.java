/** Tests of the Docker executor, against a real engine. */
@NullMarked
package dev.paddock.executor.docker;

import org.jspecify.annotations.NullMarked;
