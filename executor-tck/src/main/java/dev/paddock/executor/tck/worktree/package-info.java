/**
 * Attacks on the protection of a worktree, judged by whether a planted program runs, and honest work
 * in it.
 */
@NullMarked
package dev.paddock.executor.tck.worktree;

import org.jspecify.annotations.NullMarked;
