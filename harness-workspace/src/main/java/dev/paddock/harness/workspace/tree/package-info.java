/** Reads, writes and removes directory trees relative to open directories. */
@NullMarked
package dev.paddock.harness.workspace.tree;

import org.jspecify.annotations.NullMarked;
