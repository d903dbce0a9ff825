/** Where an executor's container comes from: made and removed by the executor, or attached to. */
@NullMarked
package dev.paddock.executor.docker.source;

import org.jspecify.annotations.NullMarked;
