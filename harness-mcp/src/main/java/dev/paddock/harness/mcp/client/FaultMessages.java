package dev.paddock.harness.mcp.client;

import dev.paddock.harness.tools.text.Excerpt;

/** Formats exceptions as messages for people. */
public final class FaultMessages {
    private static final int MAX_CHARACTERS = 500;

    private FaultMessages() {}

    /**
     * Returns the innermost message, shortened and on one line, since it may come from a server.
     */
    static String text(Throwable fault) {
        Throwable innermost = fault;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage() == null ? innermost.toString() : innermost.getMessage();
        String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
        return Excerpt.cut(line, MAX_CHARACTERS);
    }
}
