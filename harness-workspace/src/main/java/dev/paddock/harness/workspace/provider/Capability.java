package dev.paddock.harness.workspace.provider;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The uses of a workspace.
 *
 * @since 0.1
 */
public enum Capability {
    /** {@link Workspace#files()}. */
    FILES,
    /** {@link Workspace#executor()}. */
    SHELL,
    /** {@link Workspace#snapshots()}. */
    SNAPSHOTS;

    /** {@return the name in references and messages, in lower case} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the capability with a name.
     *
     * @param word the name, as {@link #word()} returns it
     * @return the capability
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    public static Capability parse(String word) {
        for (Capability capability : values()) {
            if (capability.word().equals(word)) {
                return capability;
            }
        }
        throw new IllegalArgumentException("there is no capability '" + word + "'; there are "
                + Arrays.stream(values()).map(Capability::word).collect(Collectors.joining(", ")));
    }
}
