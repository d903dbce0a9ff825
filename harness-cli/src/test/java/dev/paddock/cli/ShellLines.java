package dev.paddock.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Runs lines of a shell whose {@code paddock} is the program in the tests' JVM: it is called with the directory, the
 * variables and the words of the shell's call, and an empty input. Only one call at a time may run.
 */
public final class ShellLines {
    /** Descriptor 4 takes a call to the JVM; 3 brings its exit code, when its output is in the files. */
    private static final String PROGRAM = """
            #!/bin/sh
            { printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '\\0'; } >&4
            read -r code <&3
            cat 'PLACE/stdout'
            cat 'PLACE/stderr' >&2
            exit "$code"
            """;

    private static final String START = """
            exec 3<&0 4>&1 </dev/null >'PLACE/lines.stdout' 2>'PLACE/lines.stderr'
            paddock() { 'PLACE/paddock' "$@"; }
            """;

    private final Path place;

    private ShellLines(Path place) {
        this.place = place;
    }

    /**
     * Makes the program that lines call.
     *
     * @param place a directory that does not exist, for files of this object
     */
    public static ShellLines in(Path place) throws IOException {
        ShellLines lines = new ShellLines(Files.createDirectory(place));
        Files.writeString(lines.program(), PROGRAM.replace("PLACE", place.toString()));
        Files.setPosixFilePermissions(lines.program(), PosixFilePermissions.fromString("rwxr-xr-x"));
        return lines;
    }

    /** Returns the program, for lines that do not call {@code paddock} by that name. */
    Path program() {
        return place.resolve("paddock");
    }

    /**
     * Runs lines.
     *
     * @param cli has the directory and the variables of the shell
     */
    public Cli.Result run(Cli cli, String lines) throws IOException, InterruptedException {
        String script = START.replace("PLACE", place.toString()) + lines;
        Process shell = cli.builder().command("sh", "-c", script).start();
        try (InputStream calls = shell.getInputStream();
                Writer answers = shell.outputWriter(StandardCharsets.UTF_8)) {
            for (Optional<String> next = word(calls); next.isPresent(); next = word(calls)) {
                Cli.Result result = call(Path.of(next.get()), calls);
                Files.writeString(place.resolve("stdout"), result.stdout());
                Files.writeString(place.resolve("stderr"), result.stderr());
                answers.write(result.exitCode() + "\n");
                answers.flush();
            }
        }
        return new Cli.Result(
                Cli.awaitExit(shell),
                Files.readString(place.resolve("lines.stdout")),
                Files.readString(place.resolve("lines.stderr")));
    }

    private static Cli.Result call(Path directory, InputStream calls) throws IOException {
        String[] words = new String[Integer.parseInt(word(calls).orElseThrow())];
        for (int at = 0; at < words.length; at++) {
            words[at] = word(calls).orElseThrow();
        }
        Map<String, String> environment = new HashMap<>();
        String next = word(calls).orElseThrow();
        while (!next.isEmpty()) {
            String[] variable = next.split("=", 2);
            environment.put(variable[0], variable[1]);
            next = word(calls).orElseThrow();
        }
        return Cli.in(directory).onlyEnv(environment).call("", words);
    }

    /** Reads as far as a null byte; empty at the end. */
    private static Optional<String> word(InputStream from) throws IOException {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        int next = from.read();
        while (next > 0) {
            word.write(next);
            next = from.read();
        }
        return next < 0 ? Optional.empty() : Optional.of(word.toString(StandardCharsets.UTF_8));
    }
}
