/** The rows of the tables: ways to run a command, ours and others', and the worktree they run it in. */
@NullMarked
package dev.paddock.benchmarks.row;

import org.jspecify.annotations.NullMarked;
