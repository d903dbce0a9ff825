/** The files in which sessions record their commands for each other, and for the next session if they are killed. */
@NullMarked
package dev.paddock.executor.worktree.journal;

import org.jspecify.annotations.NullMarked;
