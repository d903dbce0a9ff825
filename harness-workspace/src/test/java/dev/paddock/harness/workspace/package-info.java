/** Tests of copies and snapshots with real trees, repositories and killed JVMs. */
@NullMarked
package dev.paddock.harness.workspace;

import org.jspecify.annotations.NullMarked;
