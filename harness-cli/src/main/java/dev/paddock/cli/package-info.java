/** The paddock command. */
@NullMarked
package dev.paddock.cli;

import org.jspecify.annotations.NullMarked;
