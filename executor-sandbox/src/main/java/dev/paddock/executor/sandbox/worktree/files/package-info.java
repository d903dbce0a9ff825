/**
 * Files as the kernel knows them: bytes of names, status and fingerprints, access that follows no
 * link, copies of trees, and the events of directories.
 */
@NullMarked
package dev.paddock.executor.sandbox.worktree.files;

import org.jspecify.annotations.NullMarked;
