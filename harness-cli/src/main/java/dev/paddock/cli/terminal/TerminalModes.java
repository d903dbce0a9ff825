package dev.paddock.cli.terminal;

import java.util.List;

/** The terminal modes that full-screen programs switch on, and reset when they exit by themselves. */
final class TerminalModes {
    private static final String ESC = "\u001b";

    /** Each resets one mode, and has no effect on a terminal without it; none moves the cursor. */
    private static final List<String> ENDS = List.of(
            ESC + "[?1000l", // the mouse: clicks, drags, moves, focus, and their encodings
            ESC + "[?1002l",
            ESC + "[?1003l",
            ESC + "[?1004l",
            ESC + "[?1005l",
            ESC + "[?1006l",
            ESC + "[?1015l",
            ESC + "[?2004l", // marked pastes
            ESC + "[?1l", // keys of applications
            ESC + ">",
            ESC + "[?1047l", // the second screen
            ESC + "7" + ESC + "[r" + ESC + "8", // scrolling of a part; it alone moves the cursor
            ESC + "[?7h", // lines wrap
            ESC + "[?25h", // the cursor is seen
            ESC + "(B", // the character set
            "\u000f",
            ESC + "[m");

    /** Resets all of them. */
    static final String RESET = String.join("", ENDS);

    private TerminalModes() {}
}
