package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.git.config.Setting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Runs the real git, and shells that run it, without the configuration of the machine's user. */
final class GitReferee {
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "GIT_CONFIG_GLOBAL", "/dev/null",
            "GIT_CONFIG_NOSYSTEM", "1",
            "GIT_AUTHOR_NAME", "t",
            "GIT_AUTHOR_EMAIL", "t@example.org",
            "GIT_COMMITTER_NAME", "t",
            "GIT_COMMITTER_EMAIL", "t@example.org",
            "GIT_EDITOR", "true",
            "LC_ALL", "C");

    private GitReferee() {}

    /** The output of a program; bytes as ISO 8859-1. */
    record Answer(int status, String output) {}

    /** Runs a program, and returns its status and standard output. */
    static Answer run(Path directory, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        return answer(builder);
    }

    /** Runs a shell script that must succeed, and returns its output, errors included. */
    static String shell(Path directory, String script) throws IOException, InterruptedException {
        Answer answer = answer(new ProcessBuilder("sh", "-ec", script)
                .directory(directory.toFile())
                .redirectErrorStream(true));
        if (answer.status() != 0) {
            throw new AssertionError("status " + answer.status() + " of: " + script + "\n" + answer.output());
        }
        return answer.output();
    }

    private static Answer answer(ProcessBuilder builder) throws IOException, InterruptedException {
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().putAll(ENVIRONMENT);
        Process process = builder.start();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (InputStream stream = process.getInputStream()) {
            stream.transferTo(output);
        }
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("does not end: " + builder.command());
        }
        return new Answer(process.exitValue(), output.toString(StandardCharsets.ISO_8859_1));
    }

    /** Returns the settings that git lists for a configuration file; its status tells whether it could. */
    static Answer settings(Path file) throws IOException, InterruptedException {
        return run(Path.of("/"), "git", "config", "--no-includes", "-f", file.toString(), "--list", "-z");
    }

    /** Splits git's list of settings, each a name, LF and value, or a name alone, before NUL. */
    static List<Setting> parse(String list) {
        List<Setting> settings = new ArrayList<>();
        for (String entry : list.split("\0", -1)) {
            int end = entry.indexOf('\n');
            if (end >= 0) {
                settings.add(new Setting(entry.substring(0, end), Optional.of(entry.substring(end + 1))));
            } else if (!entry.isEmpty()) {
                settings.add(new Setting(entry, Optional.empty()));
            }
        }
        return settings;
    }

    /** Returns a territory of one directory, and of the user who runs the tests. */
    static Territory territory(Path root) throws IOException {
        return new Territory(List.of(root), Set.of((Integer) Files.getAttribute(root, "unix:uid")));
    }
}
