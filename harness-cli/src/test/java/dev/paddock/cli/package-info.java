/** Tests of the command, in its own package. */
@NullMarked
package dev.paddock.cli;

import org.jspecify.annotations.NullMarked;
