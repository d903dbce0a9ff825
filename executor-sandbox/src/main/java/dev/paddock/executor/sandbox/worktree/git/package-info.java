/**
 * What git takes for a repository, and what a command may change inside one. Reads files, moves
 * none, and never runs git: git would obey the very configuration that is in question.
 */
@NullMarked
package dev.paddock.executor.sandbox.worktree.git;

import org.jspecify.annotations.NullMarked;
