/** The rules that every module keeps. */
@NullMarked
package dev.paddock.architecture;

import org.jspecify.annotations.NullMarked;
