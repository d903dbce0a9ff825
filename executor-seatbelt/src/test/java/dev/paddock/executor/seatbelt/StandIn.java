package dev.paddock.executor.seatbelt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes a program that takes the place of {@code sandbox-exec}. */
final class StandIn {
    /**
     * Confines nothing, and passes its own arguments and environment to the command as variables.
     */
    static final String REPORTING = """
            #!/bin/sh
            [ "$1" = -p ] || exit 64
            SEEN_PROFILE=$2
            SEEN_ENV=$(env)
            SEEN_ARGUMENTS=$(shift 2; echo "$*")
            export SEEN_PROFILE SEEN_ENV SEEN_ARGUMENTS
            shift 2
            exec "$@"
            """;

    private StandIn() {}

    static MacSandbox in(Path directory) throws IOException {
        return in(directory, REPORTING);
    }

    static MacSandbox in(Path directory, String script) throws IOException {
        Path program = Files.writeString(directory.resolve("stand-in"), script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new MacSandbox("Mac OS X", program.toString());
    }
}
