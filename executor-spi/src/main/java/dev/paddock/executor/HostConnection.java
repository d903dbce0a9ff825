package dev.paddock.executor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A connection that a command made, or tried to make, to a host by its name in a network of allowed
 * hosts; or a connection from this machine to a published port of a command. Reported when it has
 * ended, or at once if it was denied.
 *
 * @since 0.1
 */
public final class HostConnection {
    private final String host;
    private final OptionalInt port;
    private final boolean allowed;
    private final Optional<String> reason;
    private final long sentBytes;
    private final long receivedBytes;
    private final Instant began;
    private final Duration lasted;
    private final OptionalInt publishedAt;

    private HostConnection(
            String host,
            OptionalInt port,
            boolean allowed,
            Optional<String> reason,
            long sentBytes,
            long receivedBytes,
            Instant began,
            Duration lasted,
            OptionalInt publishedAt) {
        this.host = host;
        this.port = port;
        this.allowed = allowed;
        this.reason = reason;
        this.sentBytes = sentBytes;
        this.receivedBytes = receivedBytes;
        this.began = began;
        this.lasted = lasted;
        this.publishedAt = publishedAt;
    }

    /**
     * Returns a builder of an allowed connection without a port and bytes, which has begun now and lasted no time.
     *
     * @param host the host's name
     * @return the builder
     */
    public static Builder builder(String host) {
        return new Builder(host);
    }

    /**
     * {@return the host's name; {@code localhost} for a published port; for a denied look-up the name that
     * the command asked for, up to 255 printable characters, with {@code ?} in place of others}
     */
    public String host() {
        return host;
    }

    /**
     * {@return the host's port, or the published port of the command; empty if the look-up of the name was
     * denied}
     */
    public OptionalInt port() {
        return port;
    }

    /** {@return whether the policy allowed it} */
    public boolean allowed() {
        return allowed;
    }

    /** {@return why it was denied, or failed; empty if both sides ended it normally} */
    public Optional<String> reason() {
        return reason;
    }

    /** {@return how many bytes of the command were sent on} */
    public long sentBytes() {
        return sentBytes;
    }

    /** {@return how many bytes the command was sent} */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** {@return when the command connected, or looked the name up} */
    public Instant began() {
        return began;
    }

    /** {@return how long it was open} */
    public Duration lasted() {
        return lasted;
    }

    /**
     * {@return the port of this machine's loopback at which the command's port was published; empty for a
     * connection that a command made}
     */
    public OptionalInt publishedAt() {
        return publishedAt;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HostConnection that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "HostConnection" + parts();
    }

    private List<Object> parts() {
        return List.of(host, port, allowed, reason, sentBytes, receivedBytes, began, lasted, publishedAt);
    }

    /** Collects a connection. Not safe for use by several threads. */
    public static final class Builder {
        private final String host;
        private OptionalInt port = OptionalInt.empty();
        private boolean allowed = true;
        private Optional<String> reason = Optional.empty();
        private long sentBytes;
        private long receivedBytes;
        private Instant began = Instant.now();
        private Duration lasted = Duration.ZERO;
        private OptionalInt publishedAt = OptionalInt.empty();

        private Builder(String host) {
            this.host = host;
        }

        /**
         * Sets the port. It is not checked: a command may have asked for one that does not exist.
         *
         * @param value the host's port, or the published port of the command
         * @return this builder
         */
        public Builder port(int value) {
            port = OptionalInt.of(value);
            return this;
        }

        /**
         * Sets whether the policy allowed it.
         *
         * @param value whether it did
         * @return this builder
         */
        public Builder allowed(boolean value) {
            allowed = value;
            return this;
        }

        /**
         * Sets why it was denied, or failed.
         *
         * @param text the reason
         * @return this builder
         */
        public Builder reason(String text) {
            reason = Optional.of(text);
            return this;
        }

        /**
         * Sets what was exchanged.
         *
         * @param sent how many bytes of the command were sent on
         * @param received how many bytes the command was sent
         * @return this builder
         * @throws IllegalArgumentException if a number is negative
         */
        public Builder bytes(long sent, long received) {
            if (sent < 0 || received < 0) {
                throw new IllegalArgumentException("a number of bytes is negative: " + Math.min(sent, received));
            }
            sentBytes = sent;
            receivedBytes = received;
            return this;
        }

        /**
         * Sets when the command connected, or looked the name up.
         *
         * @param time the time
         * @return this builder
         */
        public Builder began(Instant time) {
            began = time;
            return this;
        }

        /**
         * Sets how long it was open.
         *
         * @param time the time
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder lasted(Duration time) {
            if (time.isNegative()) {
                throw new IllegalArgumentException("the connection lasted less than no time: " + time);
            }
            lasted = time;
            return this;
        }

        /**
         * Sets the port of this machine's loopback at which the command's port was published.
         *
         * @param value the port
         * @return this builder
         */
        public Builder publishedAt(int value) {
            publishedAt = OptionalInt.of(value);
            return this;
        }

        /**
         * Builds the connection.
         *
         * @return the connection
         */
        public HostConnection build() {
            return new HostConnection(
                    host, port, allowed, reason, sentBytes, receivedBytes, began, lasted, publishedAt);
        }
    }
}
