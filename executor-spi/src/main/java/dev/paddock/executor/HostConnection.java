package dev.paddock.executor;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A connection that a command made, or tried to make, to a host by its name in a network of allowed
 * hosts; or a connection from this machine to a published port of a command. Reported when it has
 * ended, or at once if it was denied.
 *
 * @param host the host's name; {@code localhost} for a published port; for a denied look-up the name that the
 *     command asked for, up to 255 printable characters, with {@code ?} in place of others
 * @param port the host's port, or the published port of the command; empty if the look-up of the name was denied
 * @param allowed whether the policy allowed it
 * @param reason why it was denied, or failed; empty if both sides ended it normally
 * @param sentBytes how many bytes of the command were sent on
 * @param receivedBytes how many bytes the command was sent
 * @param began when the command connected, or looked the name up
 * @param lasted how long it was open
 * @param publishedAt the port of this machine's loopback at which the command's port was published; empty for a
 *     connection that a command made
 * @since 0.1
 */
public record HostConnection(
        String host,
        OptionalInt port,
        boolean allowed,
        Optional<String> reason,
        long sentBytes,
        long receivedBytes,
        Instant began,
        Duration lasted,
        OptionalInt publishedAt) {

    /**
     * Creates a connection that a command made.
     *
     * @param host the host's name
     * @param port the host's port
     * @param allowed whether the policy allowed it
     * @param reason why it was denied, or failed
     * @param sentBytes how many bytes of the command were sent on
     * @param receivedBytes how many bytes the command was sent
     * @param began when the command connected, or looked the name up
     * @param lasted how long it was open
     */
    public HostConnection(
            String host,
            OptionalInt port,
            boolean allowed,
            Optional<String> reason,
            long sentBytes,
            long receivedBytes,
            Instant began,
            Duration lasted) {
        this(host, port, allowed, reason, sentBytes, receivedBytes, began, lasted, OptionalInt.empty());
    }
}
