/**
 * Finds repositories as git does, and judges the changes that a command has made inside one. Reads files, moves none,
 * and never runs git, which would obey the configuration under examination.
 *
 * <p>More than fifteen classes, because the search and the rules share the readers of pointers, references and records,
 * which no other package should see. The package {@code config} has the grammar of configuration files.
 */
@NullMarked
package dev.paddock.executor.worktree.git;

import org.jspecify.annotations.NullMarked;
