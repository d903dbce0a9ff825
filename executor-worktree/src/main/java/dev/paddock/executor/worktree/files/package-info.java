/**
 * Files as the kernel knows them: bytes of names, status and fingerprints, access that follows no link, copies of
 * trees, and the events of directories.
 *
 * <p>Fifteen classes: each is one view of a file, a directory or a tree, and the packages that protect the worktree
 * combine them.
 */
@NullMarked
package dev.paddock.executor.worktree.files;

import org.jspecify.annotations.NullMarked;
