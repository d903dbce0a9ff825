/** Implements {@code paddock workspace}: directories with sandboxes of their own, and snapshots of them. */
@NullMarked
package dev.paddock.cli.workspace;

import org.jspecify.annotations.NullMarked;
