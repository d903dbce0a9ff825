/**
 * The rows of the tables: ways to run a command, Paddock's and others', and the worktree in which
 * they run it.
 */
@NullMarked
package dev.paddock.benchmarks.row;

import org.jspecify.annotations.NullMarked;
