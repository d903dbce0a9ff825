package dev.paddock.executor.worktree;

import java.nio.file.Path;

/**
 * Git directories outside the worktree.
 *
 * @param gitDirectory the worktree's own
 * @param commonDirectory the one that it shares with other worktrees; the same if it shares none
 */
public record LinkedGit(Path gitDirectory, Path commonDirectory) {}
