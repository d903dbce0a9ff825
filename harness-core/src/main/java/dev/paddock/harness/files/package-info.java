/**
 * The file tools and the one way in which they touch files. Every path that a model names is walked component by
 * component from a root that is held open, so that neither a link nor a link swapped in during the call leads out.
 */
@NullMarked
package dev.paddock.harness.files;

import org.jspecify.annotations.NullMarked;
