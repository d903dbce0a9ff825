@NullMarked
package dev.paddock.executor.docker.container;

import org.jspecify.annotations.NullMarked;
