package dev.paddock.cli.command;

import dev.paddock.harness.approval.ApprovalRequest;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The values of {@code --ask}: which of a model's calls a person is asked about. */
public enum Asking {
    /** None. */
    NEVER,

    /** Those that no sandbox bounds. */
    OUTSIDE,

    /** Those, and all that may change something. */
    CHANGES,

    /** All. */
    ALWAYS;

    private static final String NAME = "--ask";

    /** Returns the option, with a subcommand's own help text. */
    public static Option option(String... help) {
        return Option.of(NAME, "WHEN", help)
                .withChoices(Arrays.stream(values()).map(Asking::word).toArray(String[]::new));
    }

    /**
     * Reads the option.
     *
     * @throws UsageException if the value is none of these
     */
    public static Asking read(Arguments arguments, Option option, Asking byDefault) {
        return arguments.value(option).map(Asking::parse).orElse(byDefault);
    }

    private static Asking parse(String text) {
        return Arrays.stream(values())
                .filter(one -> one.word().equals(text))
                .findFirst()
                .orElseThrow(() -> new UsageException(NAME + " is "
                        + Arrays.stream(values()).map(Asking::word).collect(Collectors.joining(", ")) + ", not '"
                        + text + "'"));
    }

    /** Returns the value as it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether a person is asked about a call. */
    public boolean isAbout(ApprovalRequest call) {
        return switch (this) {
            case NEVER -> false;
            case OUTSIDE -> call.leavesSandbox();
            case CHANGES -> call.leavesSandbox() || !call.isReadOnly();
            case ALWAYS -> true;
        };
    }
}
