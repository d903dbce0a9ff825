package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.SpawnException;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.command.AllowList;
import java.util.Collection;

/** Decides which commands a workspace runs. */
@FunctionalInterface
interface CommandRule {
    /** Allows every command: the sandbox confines them. */
    CommandRule ANY = command -> {};

    /** Allows none, since the program has not said which. */
    CommandRule NONE = command -> {
        throw new SpawnException("the command was not started: this workspace allows no commands; allow some with"
                + " allowedCommands(…), or all of them with anyCommand(), where its provider is built");
    };

    /**
     * Returns if the command is allowed.
     *
     * @throws SpawnException if it is not
     */
    void check(String command);

    /** Returns the rule that allows one of these programs with plain arguments. */
    static CommandRule list(Collection<String> programs) {
        AllowList list = new AllowList(programs);
        return command -> {
            try {
                list.pass(command, AbortSignal.never());
            } catch (ToolException denied) {
                throw new SpawnException(String.valueOf(denied.getMessage()), denied);
            }
        };
    }
}
