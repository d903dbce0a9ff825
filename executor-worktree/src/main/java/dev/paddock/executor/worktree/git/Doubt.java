package dev.paddock.executor.worktree.git;

import java.nio.file.Path;

/**
 * An entry that may be, lead to, or hide a repository, and that the guard cannot judge.
 *
 * @param path the entry
 * @param reason a clause for a message, such as "it is a link"
 */
public record Doubt(Path path, String reason) {}
