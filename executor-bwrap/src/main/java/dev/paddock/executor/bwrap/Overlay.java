package dev.paddock.executor.bwrap;

import java.nio.file.Path;

/**
 * A mount over the worktree or next to it; mounts are made in the given order.
 *
 * @param source the mounted path, on the host
 * @param target the mount point that commands see
 * @param writable whether commands can write there. A directory mounted writable onto itself is pinned: neither it nor
 *     an ancestor that is a mount can be renamed or removed
 */
record Overlay(Path source, String target, boolean writable) {}
