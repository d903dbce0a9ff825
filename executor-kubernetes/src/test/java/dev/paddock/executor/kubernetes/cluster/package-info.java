@NullMarked
package dev.paddock.executor.kubernetes.cluster;

import org.jspecify.annotations.NullMarked;
