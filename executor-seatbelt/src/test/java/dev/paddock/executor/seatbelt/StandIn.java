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

    /**
     * Enforces of a profile only to which ports commands may connect by TCP, by Landlock. The numbers
     * are those of Linux's system calls, which are the same everywhere but for prctl.
     */
    static final String CONNECTING = """
            #!/usr/bin/perl
            my (undef, $profile, @command) = @ARGV;
            my $connect = 2;
            my $handled = pack "QQ", 0, $connect;
            my $rules = syscall 444, $handled, length $handled, 0;
            exit 70 if $rules < 0;
            for my $port ($profile =~ /\\(remote ip "localhost:(\\d+)"\\)/g) {
                my $rule = pack "QQ", $connect, $port;
                syscall(445, $rules, 2, $rule, 0) == 0 or exit 71;
            }
            my $prctl = `uname -m` eq "x86_64\\n" ? 157 : 167;
            syscall($prctl, 38, 1, 0, 0, 0) == 0 or exit 72;
            syscall(446, $rules, 0) == 0 or exit 73;
            exec @command;
            """;

    private StandIn() {}

    /** Returns whether this machine's kernel has what {@link #CONNECTING} needs. */
    static boolean canEnforceConnecting() throws IOException, InterruptedException {
        String version = "exit !(syscall(444, 0, 0, 1) >= 4)";
        return System.getProperty("os.name").equals("Linux")
                && new ProcessBuilder("perl", "-e", version).start().waitFor() == 0;
    }

    static MacSandbox in(Path directory) throws IOException {
        return in(directory, REPORTING);
    }

    static MacSandbox in(Path directory, String script) throws IOException {
        Path program = Files.writeString(directory.resolve("stand-in"), script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new MacSandbox("Mac OS X", program.toString());
    }
}
