/** The sources of an executor's pod: a running one, or one of its own. */
@NullMarked
package dev.paddock.executor.kubernetes.source;

import org.jspecify.annotations.NullMarked;
