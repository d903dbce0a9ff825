package dev.paddock.harness.bindings;

import java.util.Optional;

/**
 * An event of a binding, for a record of the audit trail.
 *
 * @param scope the part of the container that it is about
 * @param action the operation, such as {@code read}; letters, digits, {@code .}, {@code _} and {@code -}, at most 64
 * @param outcome how it ended
 * @param target the path, command or name, if any; at most 4,096 characters
 * @param detail further details, if any; at most 4,096 characters
 * @since 0.1
 */
public record BindingEvent(
        Scope scope, String action, Outcome outcome, Optional<String> target, Optional<String> detail) {
    private static final int MAX_ACTION_LENGTH = 64;
    private static final int MAX_TEXT_LENGTH = 4_096;

    /** The part of the container that an event is about. */
    public enum Scope {
        /** The container itself, and the guests in it. */
        CONTAINER,
        /** Files. */
        WORKSPACE,
        /** Commands. */
        EXEC,
        /** Variables and secrets. */
        ENV,
        /** The network. */
        NET
    }

    /** How an operation ended. */
    public enum Outcome {
        /** It was carried out. */
        SUCCESS,
        /** It failed. */
        ERROR,
        /** A rule refused it. */
        DENIED
    }

    /**
     * Creates an event.
     *
     * @throws IllegalArgumentException if the action is malformed or a text is too long
     */
    public BindingEvent {
        if (!action.matches("[A-Za-z0-9._-]{1," + MAX_ACTION_LENGTH + "}")) {
            throw new IllegalArgumentException("an event's action is 1 to " + MAX_ACTION_LENGTH
                    + " letters, digits, '.', '_' and '-', and not '"
                    + action.substring(0, Math.min(action.length(), MAX_ACTION_LENGTH)) + "'");
        }
        target.ifPresent(text -> requireShort("target", text));
        detail.ifPresent(text -> requireShort("detail", text));
    }

    /**
     * Returns an event without a target and a detail.
     *
     * @param scope the part of the container
     * @param action the operation
     * @param outcome how it ended
     */
    public static BindingEvent of(Scope scope, String action, Outcome outcome) {
        return new BindingEvent(scope, action, outcome, Optional.empty(), Optional.empty());
    }

    /**
     * Returns this event with a target.
     *
     * @param value the path, command or name; cut to 4,096 characters
     */
    public BindingEvent on(String value) {
        return new BindingEvent(scope, action, outcome, Optional.of(cut(value)), detail);
    }

    /**
     * Returns this event with a detail.
     *
     * @param value the detail; cut to 4,096 characters
     */
    public BindingEvent with(String value) {
        return new BindingEvent(scope, action, outcome, target, Optional.of(cut(value)));
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH);
    }

    private static void requireShort(String name, String text) {
        if (text.length() > MAX_TEXT_LENGTH) {
            throw new IllegalArgumentException(
                    "an event's " + name + " has more than " + MAX_TEXT_LENGTH + " characters: " + text.length());
        }
    }
}
