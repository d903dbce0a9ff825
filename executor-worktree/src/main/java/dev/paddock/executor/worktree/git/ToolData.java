package dev.paddock.executor.worktree.git;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Entries of a git directory that belong to programs other than git and are harmless whatever a command writes into
 * them: their program reads them as data, runs nothing because of them, and reads no settings from them. A program
 * whose files name programs, or have settings that do, is not listed.
 */
final class ToolData {
    private record Known(String reader, Pattern names) {}

    private static final List<Known> KNOWN = List.of(
            // Contents by their hashes, partial downloads, a list of locks on the server, error logs.
            known("Git LFS", "lfs|lfs/(objects|tmp|cache|incomplete|bad|logs)(/.*)?|lfs/lockcache\\.db"),
            // Contents by their keys, and journals that it commits to its branch, which a command may do, too.
            known("git-annex", "annex(/.*)?"),
            // Maps of revisions. Not its caches: Perl makes objects of any class from them.
            known("git-svn", "svn|svn/(?!\\.caches(/|$)).*"),
            // Names of commits before and after, and lists for people.
            known("git-filter-repo", "filter-repo(/.*)?"),
            // Numbers for the version of a build.
            known("GitVersion", "gitversion_cache(/.*)?"),
            // Names of branches, of which those that do not exist are ignored.
            known("git-machete", "machete"),
            // The differences that it removes temporarily; it writes them before it reads them.
            known("lint-staged", "lint-staged_(unstaged|untracked)\\.patch"),
            // Empty: only their times and events matter.
            known("gitstatus", "\\.gitstatus\\.[A-Za-z0-9]{6}(/.*)?"),
            known("Watchman", "\\.watchman-cookie-[^/]*"),
            // Versions of files for a program that compares them.
            known("gitk", "\\.gitk-tmp\\.[A-Za-z0-9]+(/.*)?"),
            // A message that is being written: they offer to recover its text.
            known("Vim", "\\.[A-Z_]+(_EDITMSG|_MSG)\\.sw[a-p]"),
            known("Emacs", "[A-Z_]+(_EDITMSG|_MSG)~|#[A-Z_]+(_EDITMSG|_MSG)#"));

    private ToolData() {}

    private static Known known(String reader, String names) {
        return new Known(reader, Pattern.compile(names, Pattern.DOTALL | Pattern.CASE_INSENSITIVE));
    }

    static Verdict judge(String relative) {
        return new Verdict.Reported(readerOf(relative).orElse("a program") + " keeps its data there");
    }

    /**
     * Returns the program that reads an entry.
     *
     * @param relative its path from the git directory, bytes as ISO 8859-1
     * @return empty if unknown, or if it may do more than read data
     */
    static Optional<String> readerOf(String relative) {
        for (Known known : KNOWN) {
            if (known.names().matcher(relative).matches()) {
                return Optional.of(known.reader());
            }
        }
        return Optional.empty();
    }
}
