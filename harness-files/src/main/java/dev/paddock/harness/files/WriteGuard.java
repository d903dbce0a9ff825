package dev.paddock.harness.files;

import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Refuses writes and removals in read-only roots, of the paths that the sandbox protects from commands, and of
 * everything that belongs to git. A {@code .git} file or directory determines which programs the host's next git
 * command runs; only git itself, through a command, may change its content.
 */
record WriteGuard(ProtectedPaths paths, Predicate<Path> alsoKept, GrantedDirectory worktree) {
    private static final Pattern IGNORED = Pattern.compile("[\\u200c-\\u200f\\u202a-\\u202e\\u206a-\\u206f\\ufeff]");
    private static final Pattern STREAM = Pattern.compile("(?<=.)(:.*)$");
    private static final Pattern DROPPED = Pattern.compile("(?<=[^.])[. ]+$");
    private static final Pattern SHORT_NAME = Pattern.compile("git~[0-9]+");
    private static final Pattern PLAIN = Pattern.compile("\\.?[a-zA-Z0-9_-][a-zA-Z0-9_+@,=.-]*(?<!\\.)");

    void check(Location where) {
        check(where.root(), where.resolved(), where.shown());
    }

    /** Refuses an entry by its name in its root and, if it is there, in the worktree. */
    void check(GrantedDirectory root, List<String> resolved, String shown) {
        if (!root.writable()) {
            throw new FileException(
                    Reason.NOT_WRITABLE, shown, shown + " is in a read-only directory. Write to the worktree instead");
        }
        List<GrantedDirectory> deciding = List.of(worktree);
        Set<List<String>> names = new HashSet<>(RootSet.relative(RootSet.paths(root, resolved, deciding), deciding));
        names.add(resolved);
        for (List<String> one : names) {
            check(shown, one.stream().map(WriteGuard::folded).toList());
        }
        if (alsoKept.test(root.host(resolved))) {
            throw isProtected(shown);
        }
    }

    private void check(String shown, List<String> names) {
        if (names.contains(".git")) {
            throw new FileException(
                    Reason.PROTECTED,
                    shown,
                    shown + " is part of a git repository's own data and is not written by file "
                            + "tools. Use git through a command");
        }
        if (paths.covers(String.join("/", names))) {
            throw isProtected(shown);
        }
    }

    private static FileException isProtected(String shown) {
        return new FileException(
                Reason.PROTECTED,
                shown,
                shown + " is protected: programs outside the sandbox obey it, so it is "
                        + "not written. Leave it as it is, or ask the user to change it");
    }

    /**
     * Folds a name as the most permissive file system does: ignores case (macOS, Windows; upper case first, since only
     * that folds the long s), characters that HFS+ ignores, trailing dots and spaces, which Windows drops, and the
     * stream that NTFS takes after a colon; resolves NTFS's short name of {@code .git}.
     */
    static String folded(String name) {
        if (PLAIN.matcher(name).matches()) {
            return name.toLowerCase(Locale.ROOT);
        }
        String folded = IGNORED.matcher(lowerCase(name)).replaceAll("");
        folded = STREAM.matcher(folded).replaceAll("");
        folded = DROPPED.matcher(folded).replaceAll("");
        return SHORT_NAME.matcher(folded).matches() ? ".git" : folded;
    }

    static String lowerCase(String name) {
        return name.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }
}
