/** Tests of {@code paddock guest} and {@code paddock container}. */
@NullMarked
package dev.paddock.cli.guest;

import org.jspecify.annotations.NullMarked;
