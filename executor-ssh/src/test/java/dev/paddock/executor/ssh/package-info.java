@NullMarked
package dev.paddock.executor.ssh;

import org.jspecify.annotations.NullMarked;
