@NullMarked
package dev.paddock.executor.kubernetes.source;

import org.jspecify.annotations.NullMarked;
