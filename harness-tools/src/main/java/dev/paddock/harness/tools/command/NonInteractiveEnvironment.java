package dev.paddock.harness.tools.command;

import java.util.Map;

/**
 * Defines the variables that keep programs from prompting, paging or opening an editor: nobody would answer. A session
 * adds no other variables to a command's environment.
 */
public final class NonInteractiveEnvironment {
    public static final Map<String, String> VARIABLES = Map.of(
            "GIT_TERMINAL_PROMPT", "0",
            "GCM_INTERACTIVE", "never",
            "GIT_EDITOR", "true",
            "GIT_PAGER", "cat",
            "GH_PROMPT_DISABLED", "1",
            "PAGER", "cat",
            "MANPAGER", "cat",
            "SYSTEMD_PAGER", "cat",
            "DEBIAN_FRONTEND", "noninteractive",
            "PIP_NO_INPUT", "1");

    private NonInteractiveEnvironment() {}
}
