package dev.paddock.cli.command;

import dev.paddock.cli.terminal.InvocationContext;
import java.util.List;

/** One of the things that {@code paddock} does. */
public interface Subcommand {

    /** The word that calls for it. */
    String name();

    /** What it is, in one line for the list of commands. */
    String summary();

    /** What can be given to it, in the order of the help. */
    List<Option> options();

    /** The rest of the help. */
    Manual manual();

    /**
     * Does it.
     *
     * @return the exit code
     * @throws UsageException if the arguments cannot be carried out
     * @throws dev.paddock.executor.ExecutorException if the place to run in could not be had or failed
     */
    int run(Arguments arguments, InvocationContext caller);
}
