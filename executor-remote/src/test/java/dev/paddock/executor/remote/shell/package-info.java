@NullMarked
package dev.paddock.executor.remote.shell;

import org.jspecify.annotations.NullMarked;
