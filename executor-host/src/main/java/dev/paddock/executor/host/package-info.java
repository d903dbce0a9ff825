/** The executor that runs commands on the host itself, isolated by nothing. */
@NullMarked
package dev.paddock.executor.host;

import org.jspecify.annotations.NullMarked;
