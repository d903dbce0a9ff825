@NullMarked
package dev.paddock.executor.landlock;

import org.jspecify.annotations.NullMarked;
