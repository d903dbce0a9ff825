package dev.paddock.harness.mcp.wire;

import io.modelcontextprotocol.spec.McpSchema;
import java.util.Optional;

/**
 * The output of a call as progress: each notification brings what has been added since the one before. What the client has not
 * taken yet is kept once, as the latest text, however often it changes.
 */
public final class ProgressStream {
    /** The most that one notification shows, in characters; of more, the end. */
    public static final int LONGEST = 16_384;

    private final Object token;
    private String told = "";
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

    /** What is to be told now; empty if there is nothing new. */
    synchronized Optional<McpSchema.JSONRPCNotification> take() {
        if (over || latest.equals(told)) {
            return Optional.empty();
        }
        // Of long output only the tail is at hand, and does not begin where the earlier one did.
        String added = latest.startsWith(told) ? latest.substring(told.length()) : latest;
        told = latest;
        number++;
        return Optional.of(new McpSchema.JSONRPCNotification(
                McpSchema.METHOD_NOTIFICATION_PROGRESS,
                McpSchema.ProgressNotification.builder(token, number)
                        .message(tail(added))
                        .build()));
    }

    private static String tail(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        int from = text.length() - LONGEST;
        return "…" + text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }
}
