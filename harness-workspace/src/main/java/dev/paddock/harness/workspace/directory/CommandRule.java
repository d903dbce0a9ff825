package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.variable.HarmlessVariables;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.command.AllowList;
import dev.paddock.harness.tools.command.NonInteractiveEnvironment;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which commands a workspace runs.
 *
 * @param programs the allowed programs, with plain arguments; empty if every command is allowed, since
 *     the sandbox confines it
 */
record CommandRule(Optional<List<String>> programs) {
    /** Allows every command. */
    static final CommandRule ANY = new CommandRule(Optional.empty());

    /** Allows no command: the program has declared none. */
    static final CommandRule NONE = new CommandRule(Optional.of(List.of()));

    /** Returns the rule that allows one of these programs with plain arguments. */
    static CommandRule list(Collection<String> programs) {
        return new CommandRule(Optional.of(List.copyOf(programs)));
    }

    /**
     * Checks the names of the programs.
     *
     * @throws IllegalArgumentException if one is not a program's name
     */
    CommandRule {
        programs.ifPresent(AllowList::new);
    }

    /**
     * Returns normally if the command is allowed.
     *
     * @throws SpawnException if it is not, or if a variable could make it run another program
     */
    void check(String command, SpawnOptions options) {
        if (programs.isEmpty()) {
            return;
        }
        if (equals(NONE)) {
            throw new SpawnException("the command was not started: this workspace allows no commands; allow some with"
                    + " allowedCommands(…), or all of them with anyCommand(), where its provider is built");
        }
        try {
            new AllowList(programs.get()).pass(command, AbortSignal.never());
        } catch (ToolException denied) {
            throw new SpawnException(String.valueOf(denied.getMessage()), denied);
        }
        options.env().forEach(CommandRule::check);
    }

    private static void check(String variable, String value) {
        boolean isSessionsOwn = NonInteractiveEnvironment.VARIABLES.entrySet().contains(Map.entry(variable, value));
        if (!isSessionsOwn && !HarmlessVariables.matches(variable)) {
            throw new SpawnException("the command was not started: the environment variable " + variable
                    + " may make an allowed command run another program, and this workspace has a list of allowed"
                    + " commands");
        }
    }
}
