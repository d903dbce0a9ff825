package dev.paddock.cli;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.UserTerminal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import java.util.List;
import java.util.Optional;

/** Decides whether a command runs at a terminal: as the options say, or where the caller has one. */
enum TerminalChoice {
    /** Where standard input and standard output are terminals and the executor has one to give. */
    AUTOMATIC,
    ALWAYS,
    NEVER;

    private static final Option TTY = Option.flag(
            "--tty", "gives the command a terminal of its own: the default", "where input and output are terminals");
    private static final Option TTY_SHORT = Option.flag("-t", "the same as --tty");
    private static final Option NO_TTY =
            Option.flag("--no-tty", "gives the command no terminal: its input and output are", "passed on as they are");
    private static final Option NO_TTY_SHORT = Option.flag("-T", "the same as --no-tty");

    static final List<Option> OPTIONS = List.of(TTY_SHORT, TTY, NO_TTY_SHORT, NO_TTY);

    /**
     * Reads the options.
     *
     * @param noInput the option for an empty input, which a terminal cannot be
     * @throws UsageException if they contradict each other, or there is no terminal to connect
     */
    static TerminalChoice read(Arguments arguments, Option noInput, InvocationContext caller) {
        boolean wanted = arguments.has(TTY) || arguments.has(TTY_SHORT);
        boolean unwanted = arguments.has(NO_TTY) || arguments.has(NO_TTY_SHORT);
        if (wanted && unwanted) {
            throw new UsageException("--tty and --no-tty exclude each other: give one of them");
        }
        if (wanted && arguments.has(noInput)) {
            throw new UsageException(
                    "--tty and " + noInput.name() + " exclude each other: a terminal's input is not empty");
        }
        if (wanted && !caller.leadsToTerminal(0)) {
            throw new UsageException("--tty connects the command to your terminal, but standard input is none;"
                    + " leave --tty out to pass the input on as it is");
        }
        if (wanted) {
            return ALWAYS;
        }
        return unwanted || arguments.has(noInput) ? NEVER : AUTOMATIC;
    }

    /** Returns the caller's terminal if the command is to use it. */
    Optional<UserTerminal> open(CommandExecutor executor, InvocationContext caller) {
        return switch (this) {
            case NEVER -> Optional.empty();
            case ALWAYS -> Optional.of(UserTerminal.open(caller.process()));
            case AUTOMATIC ->
                caller.leadsToTerminal(0)
                                && caller.leadsToTerminal(1)
                                && executor.guarantees().contains(Guarantee.TERMINAL)
                        ? Optional.of(UserTerminal.open(caller.process()))
                        : Optional.empty();
        };
    }
}
