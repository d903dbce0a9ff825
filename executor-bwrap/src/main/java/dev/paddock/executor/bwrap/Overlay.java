package dev.paddock.executor.bwrap;

import java.nio.file.Path;

/**
 * A mount laid over the worktree or beside it, in the order in which they are given.
 *
 * @param source what is mounted, on the host
 * @param target where, on the command's side
 * @param writable whether it can be written there. A directory mounted writable upon itself is pinned: it cannot be
 *     renamed or removed, nor can those above it that are mounts as well
 */
record Overlay(Path source, String target, boolean writable) {}
