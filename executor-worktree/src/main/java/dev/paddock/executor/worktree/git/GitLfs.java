package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.config.Setting;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognizes what Git LFS writes into a repository and what runs {@code git lfs} and nothing else:
 * the hooks, in every repository in which its filter runs, and the filter itself, by {@code git lfs
 * install --local}. Each hook calls {@code git lfs} with its own name; the rest of it is at most a
 * message for users without Git LFS.
 */
final class GitLfs {
    // Possessive, since a hook is a command's: the matcher would call itself for each character.
    private static final Pattern HOOK = Pattern.compile("""
            #!/bin/sh
            (?:command -v git-lfs >/dev/null 2>&1 \\|\\| \\{ (?:echo|printf) >&2(?: "(?:[A-Za-z0-9 .,;:'()/%_-]|\\\\n)*+")++; exit 2; \\}
            )?git lfs (pre-push|post-checkout|post-commit|post-merge) "\\$@"
            ?""");

    /** Without and with {@code --skip-smudge}. Git finds the program on the user's path. */
    private static final Map<String, Set<String>> FILTER = Map.of(
            "filter.lfs.required", Set.of("true"),
            "filter.lfs.clean", Set.of("git-lfs clean -- %f"),
            "filter.lfs.smudge", Set.of("git-lfs smudge -- %f", "git-lfs smudge --skip -- %f"),
            "filter.lfs.process", Set.of("git-lfs filter-process", "git-lfs filter-process --skip"));

    private GitLfs() {}

    /** Returns whether a setting is one of the filter that Git LFS writes. */
    static boolean isFilter(Setting setting) {
        return FILTER.getOrDefault(setting.name(), Set.of()).contains(setting.text());
    }

    /** Returns whether a file is the hook that Git LFS writes under its name. */
    static boolean isHook(Path hook) {
        return SmallFile.read(hook)
                .map(HOOK::matcher)
                .filter(match -> match.matches() && hook.endsWith(match.group(1)))
                .isPresent();
    }
}
