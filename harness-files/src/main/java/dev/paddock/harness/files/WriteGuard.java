package dev.paddock.harness.files;

import dev.paddock.executor.policy.ProtectedPaths;
import java.util.List;
import java.util.Locale;

/**
 * Refuses writes of file tools to parts of the worktree: the paths that the sandbox protects from
 * commands, and everything that belongs to git. A {@code .git} file or directory decides which
 * programs the host's next git command runs; the way to change its content is git itself, through a
 * command.
 */
record WriteGuard(ProtectedPaths paths) {

    void check(Location where) {
        if (!where.root().writable()) {
            throw new FileException(
                    where.shown(), where.shown() + " is in a read-only directory. Write to the worktree instead");
        }
        List<String> names = where.resolved().stream().map(WriteGuard::folded).toList();
        if (names.contains(".git")) {
            throw new FileException(
                    where.shown(),
                    where.shown() + " is part of a git repository's own data and is not written by file "
                            + "tools. Use git through a command");
        }
        if (paths.covers(String.join("/", names))) {
            throw new FileException(
                    where.shown(),
                    where.shown() + " is protected: programs outside the sandbox obey what it says, so it is "
                            + "not written. Leave it as it is, or ask the user to change it");
        }
    }

    /**
     * Folds a name as the most permissive file system does: without regard to case (macOS, Windows;
     * upper case first, since that alone folds the long s), without characters that HFS+ ignores,
     * without the dots and spaces that Windows drops at the end, the stream that NTFS takes after a
     * colon, and the short name that it gives {@code .git}.
     */
    private static String folded(String name) {
        String folded = name.toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[\\u200c-\\u200f\\u202a-\\u202e\\u206a-\\u206f\\ufeff]", "")
                .replaceAll("(?<=.)(:.*)$", "")
                .replaceAll("(?<=[^.])[. ]+$", "");
        return folded.matches("git~[0-9]+") ? ".git" : folded;
    }
}
