package dev.paddock.executor.ssh;

import dev.paddock.executor.Availability;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/** Explains why ssh did not connect. */
final class SshFailure {
    private SshFailure() {}

    /**
     * Explains an error message of ssh.
     *
     * @param message what ssh wrote
     */
    static Availability.Unusable of(String host, String message) {
        String text = message.toLowerCase(Locale.ROOT);
        String line = message.isEmpty() ? "ssh ended without a message" : joined(message);
        String reason = "the host '" + host + "' cannot be used: " + line;
        if (text.contains("host key verification failed") || text.contains("host identification has changed")) {
            return new Availability.Unusable(
                    reason,
                    "Compare the host's key with one that you have from its administrator, then connect once by hand"
                            + " (ssh " + host + "), so that known_hosts has it.");
        }
        if (text.contains("permission denied") || text.contains("too many authentication failures")) {
            return new Availability.Unusable(
                    reason,
                    "Make 'ssh -o BatchMode=yes " + host
                            + " true' work: load the key into ssh-agent, or name one without"
                            + " a passphrase as the identity. Paddock never asks for a password.");
        }
        if (text.contains("could not resolve")) {
            return new Availability.Unusable(
                    reason, "Correct the host's name, or add it to ssh's configuration.", false);
        }
        return new Availability.Unusable(
                reason, "Check 'ssh -v " + host + " true', the network, and the server on the host.", true);
    }

    /** Joins the lines of a message, which the host may have written. */
    private static String joined(String message) {
        return message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("; "));
    }

    static Availability.Unusable silent(String host, Duration bound) {
        return new Availability.Unusable(
                "the host '" + host + "' started no session within " + bound.toSeconds() + " s",
                "Check 'ssh -v " + host + " true', and the start-up files of the shell there.",
                true);
    }
}
