package dev.paddock.executor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A port of a command that programs of this machine reach at a port of its loopback, {@code 127.0.0.1}.
 *
 * <p>Written {@code 3000} for the same port on both sides, {@code 8080:3000} with this machine's port first, as
 * container engines have it, and {@code :3000} for a free port of this machine.
 *
 * @param hostPort this machine's port, 1 to {@value #MAX_PORT}; 0 asks for a free one
 * @param port the port that the command listens on, at {@code 127.0.0.1} or every address of IPv4; 1 to {@value
 *     #MAX_PORT}
 * @since 0.1
 */
public record PublishedPort(int hostPort, int port) {

    /** The most ports of a command. */
    public static final int MAX_PORTS = 8;

    /** The highest port. */
    public static final int MAX_PORT = 65_535;

    private static final Pattern FORM = Pattern.compile("(?:(\\d{0,5}):)?(\\d{1,5})");

    /**
     * Creates a published port.
     *
     * @throws IllegalArgumentException if a port is out of its range
     */
    public PublishedPort {
        if (port < 1 || port > MAX_PORT || hostPort < 0 || hostPort > MAX_PORT) {
            throw new IllegalArgumentException(
                    "a port of '" + (hostPort == 0 ? "" : hostPort) + ":" + port + "' is not within 1 and " + MAX_PORT);
        }
    }

    /**
     * Parses a published port.
     *
     * @param text such as {@code 3000}, {@code 8080:3000} or {@code :3000}
     * @return the port
     * @throws IllegalArgumentException if it is not of the form, or a port is out of its range
     */
    public static PublishedPort parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text.replaceAll("\\p{Cntrl}", "?")
                    + "' is no port; write 3000, 8080:3000 with this machine's port first, or :3000 for a free one");
        }
        int port = Integer.parseInt(parts.group(2));
        String host = parts.group(1);
        return new PublishedPort(host == null ? port : host.isEmpty() ? 0 : Integer.parseInt(host), port);
    }

    /**
     * Returns the same port of the command, published at another port of this machine.
     *
     * @param value the port; 0 asks for a free one
     * @return the published port
     */
    public PublishedPort at(int value) {
        return new PublishedPort(value, port);
    }

    /**
     * Returns where programs of this machine reach the port.
     *
     * @return such as {@code 127.0.0.1:8080}
     */
    public String address() {
        return "127.0.0.1:" + hostPort;
    }

    /** Returns the port as {@link #parse} reads it. */
    @Override
    public String toString() {
        return (hostPort == 0 ? "" : hostPort) + ":" + port;
    }
}
