@NullMarked
package dev.paddock.executor.config.grant;

import org.jspecify.annotations.NullMarked;
