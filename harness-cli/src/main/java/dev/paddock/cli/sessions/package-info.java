/** The sessions that {@code paddock agent} keeps, and {@code paddock sessions}. */
@NullMarked
package dev.paddock.cli.sessions;

import org.jspecify.annotations.NullMarked;
