package dev.paddock.cli.command;

import dev.paddock.cli.terminal.InvocationContext;
import java.util.List;

/** A subcommand of {@code paddock}. */
public interface Subcommand {

    String name();

    /** Returns a description in one line for the list of subcommands. */
    String summary();

    /** Returns the options that it accepts, in the order of the help. */
    List<Option> options();

    /** Returns the help text without the options. */
    Manual manual();

    /**
     * Returns the words that its first operand may be; empty if it takes others, or no operand.
     */
    default List<String> operands() {
        return List.of();
    }

    /** Returns whether its operands are a command line. */
    default boolean takesCommand() {
        return false;
    }

    /**
     * Returns how many operands may have options between them: later words belong to a command to run.
     *
     * @param words the command line after the subcommand's name
     */
    default int leadingOperands(List<String> words) {
        return takesCommand() ? 0 : Integer.MAX_VALUE;
    }

    /**
     * Runs the subcommand.
     *
     * @return the exit code
     * @throws UsageException if the arguments are invalid
     * @throws dev.paddock.executor.ExecutorException if the executor is not available or failed
     */
    int run(Arguments arguments, InvocationContext caller);
}
