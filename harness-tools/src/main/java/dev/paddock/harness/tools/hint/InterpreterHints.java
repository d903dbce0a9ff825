package dev.paddock.harness.tools.hint;

import dev.paddock.harness.files.content.HostFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognizes a script of the worktree that did not start because the sandbox does not show its interpreter. */
final class InterpreterHints {
    /** What shells and env print: the script's path, or with bash the script's and the interpreter's. */
    private static final Pattern SCRIPT =
            Pattern.compile("(?m)(?:^|: |['\u2018])([^\\s:'\u2018\u2019]*/[^\\s:'\u2018\u2019]+)['\u2019]?: "
                    + "(?:\\S+: bad interpreter: .*|not found|No such file or directory|Permission denied"
                    + "|cannot execute: required file not found)\\r?$");

    private static final Pattern FIRST_LINE = Pattern.compile("^#! ?(/[^\\s]+)");

    /** The kernel's limit for a first line. */
    private static final int MAX_BYTES = 256;

    private final SandboxFacts facts;

    InterpreterHints(SandboxFacts facts) {
        this.facts = facts;
    }

    /** Returns the hint for the end of the output of a command that was not found or not started. */
    Optional<String> after(String output) {
        Matcher scripts = SCRIPT.matcher(output);
        return scripts.results()
                .map((MatchResult found) -> found.group(1))
                .reduce((first, second) -> second)
                .flatMap(this::hint);
    }

    private Optional<String> hint(String script) {
        try {
            Path commands = Path.of(facts.policy().worktree().commandPath());
            Path path = commands.resolve(script).normalize();
            if (!path.startsWith(commands)) {
                return Optional.empty();
            }
            Path file = facts.policy().worktree().hostPath().resolve(commands.relativize(path));
            String begin = new String(HostFile.read(file, MAX_BYTES), StandardCharsets.UTF_8);
            Matcher line = FIRST_LINE.matcher(begin);
            return line.find() ? hint(script, Path.of(line.group(1))) : Optional.empty();
        } catch (IOException | InvalidPathException noScript) {
            return Optional.empty();
        }
    }

    private Optional<String> hint(String script, Path interpreter) {
        if (facts.shows(interpreter) || !Files.isExecutable(interpreter)) {
            return Optional.empty();
        }
        String first = "the first line of '" + script + "' names " + interpreter + ", which ";
        if (!facts.seesHostPaths()) {
            return Optional.of(first + "the host has, but not the container's image: use one that has it.");
        }
        Path directory = interpreter.resolveSibling("").normalize();
        return Optional.of(first + "this sandbox does not show. The user can grant its directory with --mount "
                + directory + ":" + directory + ".");
    }
}
