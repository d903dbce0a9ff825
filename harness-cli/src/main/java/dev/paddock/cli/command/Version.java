package dev.paddock.cli.command;

import java.util.Optional;

/** Which release this is. */
public final class Version {
    private Version() {}

    /** As the jar's manifest has it; classes that do not come from a jar are a build in progress. */
    public static String text() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("(unreleased)");
    }
}
