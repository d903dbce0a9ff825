@NullMarked
package dev.paddock.executor.docker.source;

import org.jspecify.annotations.NullMarked;
