package dev.paddock.journeys;

import dev.paddock.cli.Main;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.ProcessControl;
import dev.paddock.cli.terminal.Streams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The paddock command as a user types it, in the tests' JVM.
 *
 * @param directory the user's
 * @param environment the user's
 */
record Paddock(Path directory, Map<String, String> environment) {
    private static final Path JAVAS = Path.of("/usr/lib/jvm");

    /** The outcome of a call. */
    record Result(int exitCode, String stdout, String stderr) {}

    /** Returns the command for a user with a home directory. */
    static Paddock in(Path directory, Path home) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeIf(name -> name.startsWith("XDG_") || name.startsWith("GIT_"));
        environment.put("HOME", home.toString());
        environment.put("XDG_STATE_HOME", home.resolve(".local/state").toString());
        return new Paddock(directory, environment);
    }

    Paddock env(String name, String value) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.put(name, value);
        return new Paddock(directory, changed);
    }

    Paddock without(String name) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.remove(name);
        return new Paddock(directory, changed);
    }

    /** Returns a user whose Java is Debian's own: its Ant and its Gradle know no JVM as new as the build's may be. */
    Paddock withDebiansJava() throws IOException {
        try (Stream<Path> all = Files.isDirectory(JAVAS) ? Files.list(JAVAS) : Stream.empty()) {
            return all.filter(java -> java.getFileName().toString().startsWith("java-17-openjdk-"))
                    .findFirst()
                    .map(java -> env("JAVA_HOME", java.toString()))
                    .orElseGet(() -> without("JAVA_HOME"))
                    .without("MAVEN_OPTS"); // the options of a newer one
        }
    }

    /** Runs the command with an empty input. */
    Result run(String... arguments) {
        return run(new ByteArrayOutputStream(), arguments);
    }

    /** Runs the command with an empty input, and an output for errors that can be read meanwhile. */
    Result run(ByteArrayOutputStream stderr, String... arguments) {
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        int exitCode = run(InputStream.nullInputStream(), stdout, stderr, arguments);
        return new Result(exitCode, stdout.toString(StandardCharsets.UTF_8), stderr.toString(StandardCharsets.UTF_8));
    }

    /** Runs the command with streams of the caller's, and returns its exit code. */
    int run(InputStream stdin, OutputStream stdout, OutputStream stderr, String... arguments) {
        Streams streams = new Streams(stdin, stdout, stderr, StandardCharsets.UTF_8);
        InvocationContext caller =
                new InvocationContext(environment, directory, Optional.empty(), streams, ProcessControl.NONE);
        PrintStream usual = System.err;
        System.setErr(new PrintStream(stderr, true, StandardCharsets.UTF_8)); // what libraries log
        try {
            return Main.run(List.of(arguments), caller);
        } finally {
            System.setErr(usual);
        }
    }

    /** Runs a script in a sandbox. */
    Result script(String sandbox, String script, String... options) {
        String[] arguments = new String[options.length + 5];
        arguments[0] = "exec";
        arguments[1] = "--executor";
        arguments[2] = sandbox;
        System.arraycopy(options, 0, arguments, 3, options.length);
        arguments[options.length + 3] = "-c";
        arguments[options.length + 4] = script;
        return run(arguments);
    }

    /** Runs a script on the host, as the same user. */
    String host(String script) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(script + ": " + output);
        }
        return output;
    }
}
