package dev.paddock.cli.command;

import java.util.Map;
import java.util.Optional;

/** Maps the words of similar programs that newcomers try here to what to write instead. */
public final class Habits {
    private static final String NO_NEED = "leave it out: ";

    private static final String PUBLISH =
            "--publish [HOST:]PORT of exec, mcp and agent lets programs of this machine reach a command's port";

    private static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("-i", NO_NEED + "standard input is passed on"),
            Map.entry("--interactive", NO_NEED + "standard input is passed on"),
            Map.entry("-it", terminal()),
            Map.entry("-ti", terminal()),
            Map.entry("--tty", "-t demands a terminal, which a command has at a terminal anyway"),
            Map.entry("-v", "--mount SRC:DST[:ro|rw] shows a directory besides the worktree"),
            Map.entry("--volume", "--mount SRC:DST[:ro|rw] shows a directory besides the worktree"),
            Map.entry("-e", "--env NAME=VALUE sets a variable, --pass-env NAME passes one of yours on"),
            Map.entry("--env-file", "--env NAME=VALUE sets a variable, or 'environment' in paddock.yaml several"),
            Map.entry("-w", "--worktree DIR is the directory that commands work in"),
            Map.entry("--workdir", "--worktree DIR is the directory that commands work in"),
            Map.entry("-C", "--worktree DIR is the directory that commands work in"),
            Map.entry("-m", "--memory SIZE limits the memory"),
            Map.entry("--pids-limit", "--pids N limits the processes"),
            Map.entry("--net", "--network off|open"),
            Map.entry("-p", PUBLISH),
            Map.entry("--publish", PUBLISH),
            Map.entry("-P", PUBLISH),
            Map.entry("--port", PUBLISH),
            Map.entry("--publish-all", PUBLISH),
            Map.entry("--rm", NO_NEED + "the sandbox is removed when the command has ended"),
            Map.entry("-d", "a command ends with paddock exec; an agent starts services with run_in_background"),
            Map.entry("--detach", "a command ends with paddock exec; an agent starts services with run_in_background"),
            Map.entry("-u", NO_NEED + "commands run as you, and own the files that they make as you do"),
            Map.entry("--user", NO_NEED + "commands run as you, and own the files that they make as you do"),
            Map.entry("--name", NO_NEED + "sandboxes have no names; --container ID uses a container of yours"),
            Map.entry("--entrypoint", NO_NEED + "the words after the options are the command"),
            Map.entry("--privileged", "no sandbox grants that; --executor host runs a command without a sandbox"),
            Map.entry("--full-auto", "commands in a sandbox need no approval"),
            Map.entry("--yolo", "--executor host runs a command without a sandbox"));

    private static final Map<String, String> COMMANDS = Map.ofEntries(
            Map.entry("run", "paddock exec -- COMMAND runs a command, --image IMAGE in a container of an image"),
            Map.entry("sandbox", "paddock exec -- COMMAND runs a command"),
            Map.entry("sh", "paddock exec -- sh runs a shell"),
            Map.entry("bash", "paddock exec -- bash runs a shell"),
            Map.entry("shell", "paddock exec -- bash runs a shell"),
            Map.entry("init", "paddock setup enters Paddock into an agent's settings"),
            Map.entry("install", "paddock setup enters Paddock into an agent's settings"),
            Map.entry("serve", "paddock mcp serves the tools to an agent"),
            Map.entry("server", "paddock mcp serves the tools to an agent"),
            Map.entry("chat", "paddock agent asks a model"),
            Map.entry("ps", "no command outlives paddock; paddock gc removes the leftovers of a killed run"),
            Map.entry("prune", "paddock gc removes the leftovers of a killed run"),
            Map.entry("status", "paddock doctor says which sandboxes are usable"),
            Map.entry("info", "paddock doctor says which sandboxes are usable"));

    private Habits() {}

    private static String terminal() {
        return NO_NEED + "standard input is passed on, and at a terminal the command has one; -t demands it";
    }

    /** Returns what to write instead of an option that Paddock does not have. */
    static Optional<String> option(String name) {
        return Optional.ofNullable(OPTIONS.get(name));
    }

    /** Returns what to write instead of a command that Paddock does not have. */
    public static Optional<String> command(String name) {
        return Optional.ofNullable(COMMANDS.get(name));
    }
}
