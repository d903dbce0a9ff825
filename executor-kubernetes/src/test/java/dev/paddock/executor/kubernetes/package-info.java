@NullMarked
package dev.paddock.executor.kubernetes;

import org.jspecify.annotations.NullMarked;
