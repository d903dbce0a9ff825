/** The sources of an executor's container: created and removed by the executor, or attached to. */
@NullMarked
package dev.paddock.executor.docker.source;

import org.jspecify.annotations.NullMarked;
