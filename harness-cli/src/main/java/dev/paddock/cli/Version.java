package dev.paddock.cli;

import java.util.Optional;

/** Which release this is. */
final class Version {
    private Version() {}

    /** As the jar's manifest has it; classes that do not come from a jar are a build in progress. */
    static String text() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("(unreleased)");
    }
}
