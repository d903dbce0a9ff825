package dev.paddock.cli.command;

import java.util.Optional;

/** Reports this program's version. */
public final class Version {
    private Version() {}

    /**
     * Returns the version in the jar's manifest; classes that do not come from a jar are
     * unreleased.
     */
    public static String text() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("(unreleased)");
    }
}
