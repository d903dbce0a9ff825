@NullMarked
package dev.paddock.executor.tck.layer;

import org.jspecify.annotations.NullMarked;
