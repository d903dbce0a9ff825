@NullMarked
package dev.paddock.executor.remote.sync;

import org.jspecify.annotations.NullMarked;
