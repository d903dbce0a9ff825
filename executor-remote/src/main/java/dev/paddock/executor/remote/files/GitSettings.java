package dev.paddock.executor.remote.files;

import java.util.Map;

/**
 * Settings of git for commands in a synchronized worktree. Inode numbers and change times differ on both sides: a git
 * that compares them would rewrite its index, which would be transferred each time.
 */
public final class GitSettings {
    private static final String COUNT = "GIT_CONFIG_COUNT";

    private GitSettings() {}

    /**
     * Returns the variables that set them.
     *
     * @param environment the commands' variables; if they configure git, nothing is added
     */
    public static Map<String, String> variables(Map<String, String> environment) {
        if (environment.containsKey(COUNT)) {
            return Map.of();
        }
        return Map.of(
                COUNT,
                "2",
                "GIT_CONFIG_KEY_0",
                "core.checkStat",
                "GIT_CONFIG_VALUE_0",
                "minimal",
                "GIT_CONFIG_KEY_1",
                "core.trustctime",
                "GIT_CONFIG_VALUE_1",
                "false");
    }
}
