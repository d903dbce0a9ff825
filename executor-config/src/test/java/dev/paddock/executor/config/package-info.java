@NullMarked
package dev.paddock.executor.config;

import org.jspecify.annotations.NullMarked;
