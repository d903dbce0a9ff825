package dev.paddock.harness.files;

import dev.paddock.executor.policy.ProtectedPaths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Refuses writes of file tools to parts of the worktree: the paths that the sandbox protects from
 * commands, and everything that belongs to git. A {@code .git} file or directory decides which
 * programs the host's next git command runs; the way to change its content is git itself, through a
 * command.
 */
record WriteGuard(ProtectedPaths paths, GrantedDirectory worktree) {

    void check(Location where) {
        if (!where.root().writable()) {
            throw new FileException(
                    where.shown(), where.shown() + " is in a read-only directory. Write to the worktree instead");
        }
        for (List<String> one : names(where)) {
            check(where, one.stream().map(WriteGuard::folded).toList());
        }
    }

    /**
     * Returns the names that decide: those in the root and, if the root's host directory or its
     * command-side path lies in the worktree, those in the worktree.
     */
    private List<List<String>> names(Location where) {
        List<List<String>> all = new ArrayList<>(List.of(where.resolved()));
        GrantedDirectory root = where.root();
        if (root.host().startsWith(worktree.path())) {
            all.add(GrantedDirectory.components(
                    worktree.path().relativize(where.host()).toString()));
        }
        if (GrantedDirectory.startsWith(root.point(), worktree.point())) {
            List<String> seen = new ArrayList<>(
                    root.point().subList(worktree.point().size(), root.point().size()));
            seen.addAll(where.resolved());
            all.add(seen);
        }
        return all;
    }

    private void check(Location where, List<String> names) {
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
