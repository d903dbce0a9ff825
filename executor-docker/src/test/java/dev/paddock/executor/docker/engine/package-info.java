@NullMarked
package dev.paddock.executor.docker.engine;

import org.jspecify.annotations.NullMarked;
