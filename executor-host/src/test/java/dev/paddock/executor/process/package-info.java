@NullMarked
package dev.paddock.executor.process;

import org.jspecify.annotations.NullMarked;
