/** Tests of a release, as its users install it, and a program of its build. */
@NullMarked
package dev.paddock.cli.release;

import org.jspecify.annotations.NullMarked;
