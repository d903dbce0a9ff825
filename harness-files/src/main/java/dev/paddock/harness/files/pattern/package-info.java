/** Globs and ignore rules. */
@NullMarked
package dev.paddock.harness.files.pattern;

import org.jspecify.annotations.NullMarked;
