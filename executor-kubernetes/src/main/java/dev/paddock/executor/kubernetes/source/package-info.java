/** Where an executor's pod comes from: one that runs, or one of its own. */
@NullMarked
package dev.paddock.executor.kubernetes.source;

import org.jspecify.annotations.NullMarked;
