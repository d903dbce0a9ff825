package dev.paddock.executor.worktree.git.config;

import java.util.Map;
import java.util.Set;

/** The filter that {@code git lfs install} configures. It runs Git LFS and nothing else. */
public final class LfsFilter {
    /** Without and with {@code --skip-smudge}. Git finds the program on the user's path. */
    private static final Map<String, Set<String>> SETTINGS = Map.of(
            "filter.lfs.required", Set.of("true"),
            "filter.lfs.clean", Set.of("git-lfs clean -- %f"),
            "filter.lfs.smudge", Set.of("git-lfs smudge -- %f", "git-lfs smudge --skip -- %f"),
            "filter.lfs.process", Set.of("git-lfs filter-process", "git-lfs filter-process --skip"));

    private LfsFilter() {}

    /** Returns whether Git LFS writes a setting with this value. */
    public static boolean has(Setting setting) {
        return SETTINGS.getOrDefault(setting.name(), Set.of()).contains(setting.text());
    }
}
