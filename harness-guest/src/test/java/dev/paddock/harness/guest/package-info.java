/** Tests of guest code, in real sandboxes. */
@NullMarked
package dev.paddock.harness.guest;

import org.jspecify.annotations.NullMarked;
