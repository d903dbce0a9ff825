@NullMarked
package dev.paddock.executor.host;

import org.jspecify.annotations.NullMarked;
