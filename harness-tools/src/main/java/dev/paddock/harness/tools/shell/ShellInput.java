package dev.paddock.harness.tools.shell;

import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.text.Schema;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The input of a background shell.
 *
 * @param pipe whether {@code write_stdin} can write to it
 * @param terminal the size of its terminal; empty for none
 */
record ShellInput(boolean pipe, Optional<TerminalSize> terminal) {
    public static final ShellInput NONE = new ShellInput(false, Optional.empty());

    private static final String PIPE = "stdin";
    private static final String TERMINAL = "terminal";
    private static final String SIZE = "terminal_size";
    private static final TerminalSize USUAL = new TerminalSize(80, 24);
    private static final Pattern COLUMNS_ROWS = Pattern.compile("(\\d{1,5})x(\\d{1,5})");

    /** Adds the arguments that select an input. */
    static Schema describe(Schema schema) {
        return schema.optional(
                        PIPE,
                        "boolean",
                        "With run_in_background: keep the standard input open, for write_stdin. Optional.")
                .optional(
                        TERMINAL,
                        "boolean",
                        "With run_in_background: give the command a terminal, for programs that ask questions or show"
                                + " nothing otherwise; write_stdin types into it. Optional.")
                .optional(SIZE, "string", "The terminal's size, columns and rows: 80x24 by default. Optional.");
    }

    /**
     * Reads the arguments.
     *
     * @throws ToolException if the size is malformed
     */
    static ShellInput of(Json arguments) {
        if (arguments.flag(TERMINAL)) {
            return new ShellInput(true, Optional.of(size(arguments.text(SIZE).orElse(""))));
        }
        return new ShellInput(arguments.flag(PIPE), Optional.empty());
    }

    private static TerminalSize size(String text) {
        if (text.isEmpty()) {
            return USUAL;
        }
        Matcher given = COLUMNS_ROWS.matcher(text);
        if (!given.matches()) {
            throw new ToolException("'" + text + "' is not a terminal size: give columns and rows, such as 80x24."
                    + " The command was not run.");
        }
        try {
            return new TerminalSize(Integer.parseInt(given.group(1)), Integer.parseInt(given.group(2)));
        } catch (IllegalArgumentException outOfRange) {
            throw new ToolException(outOfRange.getMessage() + ". The command was not run.", outOfRange);
        }
    }

    /** Applies it to a command's options. A terminal is announced as one without control sequences (TERM=dumb). */
    SpawnOptions.Builder apply(SpawnOptions.Builder options) {
        terminal.ifPresent(size -> options.terminal(size.columns(), size.rows()).env("TERM", "dumb"));
        return pipe ? options.stdin(SpawnOptions.Stdin.PIPE) : options;
    }
}
