@NullMarked
package dev.paddock.executor.sandbox.state;

import org.jspecify.annotations.NullMarked;
