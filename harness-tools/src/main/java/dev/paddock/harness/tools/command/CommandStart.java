package dev.paddock.harness.tools.command;

import dev.paddock.executor.CommandShell;
import java.util.Optional;

/**
 * How the model's commands start.
 *
 * @param shell the shell that runs them
 * @param kept keeps the directory in which a command has ended; empty if each starts in the same one
 */
public record CommandStart(CommandShell shell, Optional<KeptDirectory> kept) {
    /** In the executor's own shell, each in the same directory. */
    public static final CommandStart STANDARD = new CommandStart(CommandShell.OWN, Optional.empty());
}
