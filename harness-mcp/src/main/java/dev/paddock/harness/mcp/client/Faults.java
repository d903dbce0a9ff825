package dev.paddock.harness.mcp.client;

import dev.paddock.harness.tools.text.Excerpt;

/** What faults say, for people. */
public final class Faults {
    private static final int LONGEST = 500;

    private Faults() {}

    /** The innermost message, on a line that is not long: it may be a server's. */
    static String text(Throwable fault) {
        Throwable innermost = fault;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String said = innermost.getMessage() == null ? innermost.toString() : innermost.getMessage();
        String line = said.strip().replaceAll("\\s*\\R\\s*", " ");
        return Excerpt.cut(line, LONGEST);
    }
}
