package dev.paddock.executor.config.grant;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A user with a home directory and a worktree. Not in a directory for temporary files, whose
 * programs are never granted.
 */
final class Surroundings implements AutoCloseable {
    final Path root;
    final Path home;
    final Path worktree;
    private final Map<String, String> environment = new HashMap<>();

    Surroundings() throws IOException {
        root = Files.createTempDirectory(Path.of("target").toRealPath(), "user-");
        home = Files.createDirectory(root.resolve("home"));
        worktree = Files.createDirectory(root.resolve("project"));
    }

    Surroundings with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    UserContext user() {
        return UserContext.of(environment());
    }

    Map<String, String> environment() {
        Map<String, String> all = new HashMap<>(environment);
        all.put("HOME", home.toString());
        return all;
    }

    /** Writes a shell script that prints a text. */
    Path program(String path, String text) throws IOException {
        Path file = write(path, "#!/bin/sh\necho " + text + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Writes a file below the home. */
    Path write(String path, String content) throws IOException {
        Path file = home.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    SandboxPolicy policy() {
        return SandboxPolicy.builder(PathMapping.same(worktree)).build();
    }

    static String run(String backend, SandboxPolicy policy, String command) throws InterruptedException {
        try (CommandExecutor executor = ExecutorProviders.named(backend).create(policy, Map.of())) {
            CommandResult result =
                    executor.run(command, RunOptions.in(policy.worktree().commandPath()));
            return result.outText() + result.errText();
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : all) {
                Files.delete(file);
            }
        }
    }
}
