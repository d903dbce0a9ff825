package dev.paddock.cli.terminal;

import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.time.Duration;
import java.util.List;

/** Measures the terminal of this program. */
public final class TerminalWidth {
    /** The width without a terminal, or with one that reports no width. */
    public static final int USUAL = 80;

    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final int MIN_COLUMNS = 20;

    private TerminalWidth() {}

    /** Returns the terminal's width in columns, by {@code stty}: the JDK does not report it. */
    public static int columns() {
        HelperCommand.Result size =
                HelperCommand.run(List.of("sh", "-c", "stty size </dev/tty"), HostEnvironment.minimal(), BOUND);
        String[] rowsAndColumns = size.output().strip().split(" ", -1);
        boolean isKnown = size.succeeded() && rowsAndColumns.length == 2 && rowsAndColumns[1].matches("\\d{1,5}");
        return usable(isKnown ? Integer.parseInt(rowsAndColumns[1]) : 0);
    }

    /** Returns the width of the terminal that standard output leads to; {@link #USUAL} elsewhere. */
    public static int ofOutput(InvocationContext caller) {
        return caller.leadsToTerminal(1) ? columns() : USUAL;
    }

    /** Returns a width that a terminal has reported, or the usual one if it reports none. */
    public static int usable(int columns) {
        return columns <= 0 ? USUAL : Math.max(MIN_COLUMNS, columns);
    }
}
