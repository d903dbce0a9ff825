package dev.paddock.harness;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Tool;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Builds the system prompt, which names the working directory's host path for file tools and its command path for
 * commands, and the paths of the mounts, which both share.
 */
final class SystemPrompt {
    private SystemPrompt() {}

    /** A workspace's directory, whose paths are unknown until it is open. */
    static final String WORKSPACE = "The directory is a workspace: commands start in it, and file tools take paths"
            + " relative to it. Use relative paths.";

    static String of(String directory, List<String> additions) {
        StringBuilder prompt = new StringBuilder("You are a software engineer at work in a directory, with tools. ");
        prompt.append(directory);
        additions.stream()
                .filter(addition -> !addition.isBlank())
                .forEach(addition -> prompt.append("\n\n").append(addition));
        return prompt.toString();
    }

    static String directory(PathMapping worktree, List<Tool> tools) {
        StringBuilder prompt = new StringBuilder();
        String commands = names(tools, ExecutionSite.SANDBOX);
        String files = names(tools, ExecutionSite.WORKTREE);
        if (worktree.isSame()) {
            prompt.append("The directory is ").append(worktree.commandPath()).append('.');
        } else {
            prompt.append("The directory has two names. Commands (")
                    .append(commands)
                    .append(") run in an environment of their own and see it as ")
                    .append(worktree.commandPath())
                    .append("; a command finds no other name. File tools (")
                    .append(files)
                    .append(") work on the host, where it is ")
                    .append(worktree.hostPath())
                    .append("; they take paths in either form, and relative ones.");
        }
        return prompt.toString();
    }

    static String granted(List<Mount> mounts) {
        if (mounts.isEmpty()) {
            return "";
        }
        return mounts.stream()
                .map(mount -> mount.target()
                        + (mount.access() == Mount.Access.READ_WRITE ? " (to read and write)" : " (read-only)"))
                .collect(Collectors.joining(", ", " Outside it you may use: ", ". Name them by these absolute paths."));
    }

    private static String names(List<Tool> tools, ExecutionSite site) {
        String names = tools.stream()
                .filter(tool -> tool.executionSite() == site)
                .map(Tool::name)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "none in this session" : names;
    }
}
