package dev.paddock.harness.mcp.wire;

import io.modelcontextprotocol.spec.McpSchema;
import java.util.Optional;

/**
 * Converts a call's output to progress notifications: each carries the output since the previous
 * one. Unsent output is kept once, as the latest text, however often it changes.
 */
public final class ProgressStream {
    /**
     * The maximum length of one notification, in characters; of longer output it carries the end.
     */
    public static final int MAX_CHARACTERS = 16_384;

    private final Object token;
    private String reported = "";
    private String latest = "";
    private int number;
    private boolean over;

    public ProgressStream(Object token) {
        this.token = token;
    }

    public synchronized void show(String textSoFar) {
        latest = textSoFar;
    }

    public synchronized void end() {
        over = true;
    }

    /** Returns the next notification; empty if there is no new output. */
    synchronized Optional<McpSchema.JSONRPCNotification> take() {
        if (over || latest.equals(reported)) {
            return Optional.empty();
        }
        // For long output, the text is only a tail, which does not start where the previous text
        // did.
        String added = latest.startsWith(reported) ? latest.substring(reported.length()) : latest;
        reported = latest;
        number++;
        return Optional.of(new McpSchema.JSONRPCNotification(
                McpSchema.METHOD_NOTIFICATION_PROGRESS,
                McpSchema.ProgressNotification.builder(token, number)
                        .message(tail(added))
                        .build()));
    }

    private static String tail(String text) {
        if (text.length() <= MAX_CHARACTERS) {
            return text;
        }
        int from = text.length() - MAX_CHARACTERS;
        return "…" + text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }
}
