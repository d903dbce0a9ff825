package dev.paddock.executor.tck.layer;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.util.Optional;

/** A run of Paddock's own build, as the system property {@code paddock.tests} names it. */
public enum Run {
    SHORT,
    FULL,
    /** The part of a full run that repeats tests as an ordinary user. */
    ORDINARY_USER;

    private static final String PROPERTY = "paddock.tests";

    static Optional<Run> current() {
        return named(System.getProperty(PROPERTY, ""), OrdinaryUser.isAgain());
    }

    static Optional<Run> named(String name, boolean again) {
        return switch (name) {
            case "" -> Optional.empty();
            case "short" -> Optional.of(SHORT);
            case "full" -> Optional.of(again ? ORDINARY_USER : FULL);
            default ->
                throw new IllegalArgumentException(
                        "the system property " + PROPERTY + " is 'short' or 'full', not '" + name + "'");
        };
    }
}
