package dev.paddock.executor.bwrap;

import java.nio.file.Path;

/**
 * A mount laid over the worktree or beside it; mounts are made in the order in which they are
 * given.
 *
 * @param source the mounted path, on the host
 * @param target the mount point, on the command's side
 * @param writable whether commands can write there. A directory mounted writable onto itself is
 *     pinned: it cannot be renamed or removed, nor can those of its ancestors that are mounts as
 *     well
 */
record Overlay(Path source, String target, boolean writable) {}
