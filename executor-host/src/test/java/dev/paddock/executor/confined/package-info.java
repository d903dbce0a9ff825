@NullMarked
package dev.paddock.executor.confined;

import org.jspecify.annotations.NullMarked;
