@NullMarked
package dev.paddock.executor.seccomp;

import org.jspecify.annotations.NullMarked;
