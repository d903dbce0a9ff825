package dev.paddock.cli.workspace;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.tools.hint.CommandHints;
import java.util.List;
import java.util.Optional;

/** Runs a command with this program's own input and output, as {@code paddock exec} does. */
public interface ForegroundCommand {

    /** Returns the options that it reads. */
    List<Option> runOptions();

    /**
     * Checks its options.
     *
     * @throws dev.paddock.cli.command.UsageException if a value is malformed, or options contradict
     *     each other
     */
    void check(Arguments arguments, InvocationContext caller);

    /**
     * Returns the command that the options or these words give.
     *
     * @throws dev.paddock.cli.command.UsageException if there is none, or more than one
     */
    String command(Arguments arguments, List<String> words);

    /**
     * Runs a command to its end.
     *
     * @param observers the observers with which the executor was created
     * @param options where it runs
     * @param hints recognize what the sandbox denied to a command that failed; empty if the
     *     caller's options cannot grant it
     * @return the exit code
     */
    int run(
            CommandExecutor executor,
            LateObservers observers,
            String command,
            SpawnOptions.Builder options,
            Optional<CommandHints> hints,
            Arguments arguments,
            InvocationContext caller,
            Interrupts interrupts);
}
