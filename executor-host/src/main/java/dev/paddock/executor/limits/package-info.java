/** Resource limits by control group and by rlimit, for the backends that run commands on this machine. Internal. */
@NullMarked
package dev.paddock.executor.limits;

import org.jspecify.annotations.NullMarked;
