@NullMarked
package dev.paddock.executor.remote.custom;

import org.jspecify.annotations.NullMarked;
