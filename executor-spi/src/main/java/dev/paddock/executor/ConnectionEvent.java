package dev.paddock.executor;

import java.time.Duration;

/**
 * A connection that a command of an executor with a network of allowed hosts has made, or tried to.
 *
 * @param host the name that the command meant
 * @param port the port; 0 for the lookup of a name that is not allowed
 * @param isAllowed whether the policy allows it
 * @param reason why it was denied or failed; empty for a connection that has ended normally
 * @param sent the number of bytes from the command to the host
 * @param received the number of bytes from the host to the command
 * @param duration from its beginning to its end
 */
public record ConnectionEvent(
        String host, int port, boolean isAllowed, String reason, long sent, long received, Duration duration) {}
