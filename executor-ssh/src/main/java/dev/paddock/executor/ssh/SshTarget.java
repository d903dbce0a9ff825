package dev.paddock.executor.ssh;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A host, and how {@code ssh} reaches it.
 *
 * @param host as on ssh's command line: a name, an alias of the configuration, or USER@HOST
 * @param configFile replaces the user's {@code ~/.ssh/config}
 * @param identity a private key's file, and the only key that is tried
 * @param port if it differs from the configuration's
 * @param connectTimeout for the connection; at least a second
 */
record SshTarget(
        String host, Optional<Path> configFile, Optional<Path> identity, OptionalInt port, Duration connectTimeout) {

    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private static final int MAX_PORT = 65_535;

    SshTarget {
        if (host.isBlank() || host.startsWith("-") || !host.equals(host.strip())) {
            throw new IllegalArgumentException(
                    "not a host: '" + host + "'; write it as for ssh, as in build@example.org");
        }
        if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > MAX_PORT)) {
            throw new IllegalArgumentException("not a port: " + port.getAsInt() + "; ports are 1 to " + MAX_PORT);
        }
        if (connectTimeout.toSeconds() < 1) {
            throw new IllegalArgumentException("the connect timeout is at least a second, not " + connectTimeout);
        }
    }

    /**
     * Checks that a key file exists: ssh would continue without it and report only the host's answer.
     *
     * @throws IllegalArgumentException if it does not
     */
    static void requireIdentity(Path identity) {
        String text = identity.toString();
        Path file = text.startsWith("~/") ? Path.of(System.getProperty("user.home"), text.substring(2)) : identity;
        if (!text.contains("%") && !Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    "the identity " + identity + " does not exist; name a private key's file");
        }
    }

    /**
     * Returns ssh's options: no prompts, only hosts with known keys, nothing forwarded,
     * no variables of this machine sent.
     */
    List<String> options() {
        List<String> words = new ArrayList<>();
        configFile.ifPresent(file -> words.addAll(List.of("-F", file.toString())));
        identity.ifPresent(file -> words.addAll(List.of("-i", file.toString(), "-o", "IdentitiesOnly=yes")));
        port.ifPresent(number -> words.addAll(List.of("-p", Integer.toString(number))));
        for (String option : List.of(
                "BatchMode=yes",
                "StrictHostKeyChecking=yes",
                "ConnectTimeout=" + connectTimeout.toSeconds(),
                "ClearAllForwardings=yes",
                "ForwardAgent=no",
                "ForwardX11=no",
                "PermitLocalCommand=no",
                "RemoteCommand=none",
                "RequestTTY=no",
                "EscapeChar=none",
                "SendEnv=-*",
                "ControlPersist=no",
                "LogLevel=ERROR")) {
            words.addAll(List.of("-o", option));
        }
        return words;
    }
}
