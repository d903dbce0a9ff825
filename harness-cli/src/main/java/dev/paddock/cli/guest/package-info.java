/** Implements {@code paddock guest} and {@code paddock container}: guest code, and what it is granted. */
@NullMarked
package dev.paddock.cli.guest;

import org.jspecify.annotations.NullMarked;
