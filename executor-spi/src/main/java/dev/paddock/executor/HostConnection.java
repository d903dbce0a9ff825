package dev.paddock.executor;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A connection that a command made to a host by its name, or tried to make, in a network of allowed
 * hosts. Reported when it has ended, or at once if it was denied.
 *
 * @param host the host's name; of a denied look-up what the command asked for, up to 255 printable
 *     characters, {@code ?} in place of others
 * @param port the host's port; empty if the look-up of the name was denied
 * @param allowed whether the policy allowed it
 * @param reason why it was denied, or failed; empty if both sides ended it normally
 * @param sentBytes how many bytes were sent on to the host
 * @param receivedBytes how many bytes the command was sent from the host
 * @param began when the command connected, or looked the name up
 * @param lasted how long it was open
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
        Duration lasted) {}
