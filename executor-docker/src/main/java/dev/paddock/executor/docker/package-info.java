/** Commands in a container: attached to one that runs, or managing one of its own. */
@NullMarked
package dev.paddock.executor.docker;

import org.jspecify.annotations.NullMarked;
