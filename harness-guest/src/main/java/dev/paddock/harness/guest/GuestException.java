package dev.paddock.harness.guest;

import java.io.Serial;
import java.util.List;

/**
 * Reports guest code that threw, could not be loaded, or exceeded a limit. The guest may choose all of its content
 * except the {@linkplain #kind() kind}.
 *
 * @since 0.1
 */
public final class GuestException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final String name;
    private final String guestStack;
    private final transient List<String> logs;

    /** Says how guest code failed. */
    public enum Kind {
        /** A module cannot be loaded: its path, its syntax, or a refused import. */
        MODULE,
        /** The code threw, or its result is not JSON. */
        THROWN,
        /** The code took too long and was ended. */
        TIMEOUT,
        /** The guest wrote too much or violated its protocol, and was ended. */
        LIMIT,
        /** The guest's process ended without a result, or did not start. */
        LOST
    }

    /**
     * Creates an exception.
     *
     * @param kind how the code failed
     * @param name the error's name
     * @param message the error's message
     * @param guestStack the error's stack, with the lines of the guest's files; may be empty
     * @param logs the lines that the code logged before
     */
    public GuestException(Kind kind, String name, String message, String guestStack, List<String> logs) {
        super(message);
        this.kind = kind;
        this.name = name;
        this.guestStack = guestStack;
        this.logs = List.copyOf(logs);
    }

    /** {@return how the code failed} */
    public Kind kind() {
        return kind;
    }

    /** {@return the error's name, such as {@code TypeError}} */
    public String name() {
        return name;
    }

    /**
     * {@return the error's stack, one line for each call, with file, line and column: at most 8,192 characters; empty
     * if the engine has none}
     */
    public String guestStack() {
        return guestStack;
    }

    /** {@return the lines that the code logged before it failed, in order} */
    public List<String> logs() {
        return logs;
    }
}
