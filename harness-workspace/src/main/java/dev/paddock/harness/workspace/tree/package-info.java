/** Reads, writes and removes directory trees from open directory to open directory. */
@NullMarked
package dev.paddock.harness.workspace.tree;

import org.jspecify.annotations.NullMarked;
