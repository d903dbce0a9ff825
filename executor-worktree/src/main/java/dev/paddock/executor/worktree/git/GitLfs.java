package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.SmallFile;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Recognizes the hooks that Git LFS writes into every repository in which its filter runs. Each calls {@code git lfs}
 * with its own name and runs nothing else; the rest of it is at most a message for users without Git LFS.
 */
final class GitLfs {
    // Possessive, since a hook is a command's: the matcher would call itself for each character.
    private static final Pattern HOOK = Pattern.compile("""
            #!/bin/sh
            (?:command -v git-lfs >/dev/null 2>&1 \\|\\| \\{ (?:echo|printf) >&2(?: "(?:[A-Za-z0-9 .,;:'()/%_-]|\\\\n)*+")++; exit 2; \\}
            )?git lfs (pre-push|post-checkout|post-commit|post-merge) "\\$@"
            ?""");

    private GitLfs() {}

    /** Returns whether a file is the hook that Git LFS writes under its name. */
    static boolean isHook(Path hook) {
        return SmallFile.read(hook)
                .map(HOOK::matcher)
                .filter(match -> match.matches() && hook.endsWith(match.group(1)))
                .isPresent();
    }
}
