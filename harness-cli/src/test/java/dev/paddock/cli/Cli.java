package dev.paddock.cli;

import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.ProcessControl;
import dev.paddock.cli.terminal.Streams;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.tck.subject.HostSignals;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Calls the program in the tests' JVM, where a start costs nothing. Features that need a separate process, such as
 * signals, a terminal or options of a JVM, run in a JVM started as a user would start it: from jars and with a
 * class cache, unless a test changes the class path or an option of the JVM, or the libraries are directories of
 * classes.
 */
public final class Cli {

    /** Longer than any call takes on a busy machine: only a call that hangs reaches it. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The checkout's. The program ends by itself only where a launcher has started it. */
    private static final Path LAUNCHER =
            Path.of("..", "paddock").toAbsolutePath().normalize();

    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** Those of a start without the cache. */
    private static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final ProcessBuilder builder = new ProcessBuilder();
    private final List<String> jvmOptions = new ArrayList<>(List.of(NATIVE_ACCESS));
    private final List<Path> added = new ArrayList<>();
    private String classPath = System.getProperty("java.class.path");

    private Optional<Path> called = Optional.of(LAUNCHER);
    private List<String> prefix = List.of();
    private boolean isForked;
    private Class<?> mainClass = Main.class;

    private Cli() {}

    /** The outcome of a call. */
    public record Result(int exitCode, String stdout, String stderr) {}

    public static Cli in(Path directory) {
        Cli cli = new Cli();
        cli.builder.directory(directory.toFile());
        cli.builder.environment().remove("PADDOCK_DEBUG");
        return cli.env(
                "XDG_CACHE_HOME", Path.of("target", "caches").toAbsolutePath().toString());
    }

    public Cli env(String name, String value) {
        builder.environment().put(name, value);
        return this;
    }

    Cli withoutEnv(String name) {
        builder.environment().remove(name);
        return this;
    }

    /** Replaces all variables. */
    Cli onlyEnv(Map<String, String> environment) {
        builder.environment().clear();
        builder.environment().putAll(environment);
        return this;
    }

    public Cli jvm(String option) {
        jvmOptions.add(option);
        return this;
    }

    /** Sets the launcher that has been called; empty for none. */
    public Cli calledBy(Optional<Path> program) {
        called = program;
        return this;
    }

    /** Returns the variables that the engines' client libraries read from the process. */
    private static Map<String, String> readByLibraries(Map<String, String> environment) {
        return environment.entrySet().stream()
                .filter(variable -> variable.getKey().matches("DOCKER_.*|KUBE.*"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Denies the program every native call; Java 24 or later. */
    Cli withoutNativeAccess() {
        jvmOptions.remove(NATIVE_ACCESS);
        return jvm("--illegal-native-access=deny");
    }

    /** Starts another class than the program's. */
    Cli mainClass(Class<?> value) {
        mainClass = value;
        return this;
    }

    /**
     * Adds a directory that declares services to the class path: behind the rest, where the class cache allows for
     * more.
     */
    public Cli classPath(Path directory) {
        added.add(directory);
        return this;
    }

    /** Takes the sandboxes off the class path; the host stays. */
    public Cli withoutSandboxes() {
        classPath = Arrays.stream(classPath.split(":", -1))
                .filter(entry -> !OtherServices.SANDBOXES.matcher(entry).matches())
                .collect(Collectors.joining(":"));
        return this;
    }

    /**
     * Resets the signals' dispositions: the process that started the tests may ignore signals, and
     * children inherit that.
     */
    public Cli withSignals() {
        prefix = List.of("env", "--default-signal=INT,HUP,TERM");
        return this;
    }

    /** Runs the program in a JVM of its own, for what belongs to the process, such as what libraries log. */
    public Cli forked() {
        isForked = true;
        return this;
    }

    /** Returns the builder, for options that a call does not offer. */
    ProcessBuilder builder(String... arguments) {
        return builder.command(words(List.of(arguments)));
    }

    /** Returns the words that start the program, quoted for a shell. */
    public String shellWords(String... arguments) {
        return ShellQuoting.posix(words(List.of(arguments)));
    }

    public Process start(String... arguments) throws IOException {
        return builder(arguments).start();
    }

    /** Runs the program with an empty input. */
    public Result run(String... arguments) throws IOException, InterruptedException {
        return isForked || needsProcess() ? finish(start(arguments)) : callAlone(arguments);
    }

    /** Runs the program in this JVM; the result has what libraries log meanwhile, too, as users see it. */
    private Result callAlone(String... arguments) {
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        PrintStream usual = System.err;
        System.setErr(new PrintStream(stderr, true, StandardCharsets.UTF_8));
        try {
            return call("", stderr, arguments);
        } finally {
            System.setErr(usual);
        }
    }

    /** Runs the program in this JVM; calls may run at the same time. */
    public Result call(String input, String... arguments) {
        return call(input, new ByteArrayOutputStream(), arguments);
    }

    private Result call(String input, ByteArrayOutputStream stderr, String... arguments) {
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        InputStream stdin = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        int exitCode = call(new Streams(stdin, stdout, stderr, StandardCharsets.UTF_8), arguments);
        return new Result(exitCode, stdout.toString(StandardCharsets.UTF_8), stderr.toString(StandardCharsets.UTF_8));
    }

    /** Runs the program in this JVM with an empty input, and an output that the result does not have; closes it. */
    Result callWriting(OutputStream stdout, String... arguments) throws IOException {
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        try (stdout) {
            int exitCode =
                    call(new Streams(InputStream.nullInputStream(), stdout, stderr, StandardCharsets.UTF_8), arguments);
            return new Result(exitCode, "", stderr.toString(StandardCharsets.UTF_8));
        }
    }

    /** Runs the program in this JVM, with the caller's own streams, until it ends; returns its exit code. */
    int callServing(InputStream stdin, OutputStream stdout, OutputStream stderr, String... arguments) {
        return call(new Streams(stdin, stdout, stderr, StandardCharsets.UTF_8), arguments);
    }

    private int call(Streams streams, String... arguments) {
        InvocationContext context = new InvocationContext(
                builder.environment(), builder.directory().toPath(), called, streams, ProcessControl.NONE);
        if (added.isEmpty() && isClassPathUnchanged()) {
            return Main.run(List.of(arguments), context);
        }
        return OtherServices.during(added, isClassPathUnchanged(), () -> Main.run(List.of(arguments), context));
    }

    private boolean isClassPathUnchanged() {
        return classPath.equals(System.getProperty("java.class.path"));
    }

    /** Returns whether a test has asked for what the tests' JVM does not have. */
    private boolean needsProcess() {
        return !jvmOptions.equals(List.of(NATIVE_ACCESS))
                || !readByLibraries(builder.environment()).equals(readByLibraries(System.getenv()))
                || builder.environment().containsKey("PADDOCK_DEBUG") // for the whole process, its libraries too
                || !prefix.isEmpty()
                || !mainClass.equals(Main.class);
    }

    public static Result finish(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        StringBuilder stderr = new StringBuilder();
        Thread reader = new Thread(() -> stderr.append(text(process.getErrorStream())));
        reader.start();
        String stdout = text(process.getInputStream());
        reader.join();
        return new Result(awaitExit(process), stdout, stderr.toString());
    }

    static int awaitExit(Process process) throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("paddock did not end within " + PATIENCE);
        }
        return process.exitValue();
    }

    public static void send(String signal, Process process) throws IOException {
        if (!HostSignals.send(signal, process.pid())) {
            throw new AssertionError("SIG" + signal + " could not be sent");
        }
    }

    /** Returns the words that start the program. */
    List<String> words(String... arguments) {
        return words(List.of(arguments));
    }

    private List<String> words(List<String> arguments) {
        List<String> words = new ArrayList<>(prefix);
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Optional<CachedProgram> cached = isUnchanged() ? CachedProgram.present() : Optional.empty();
        words.add("-Dpaddock.launcher=" + called.map(Path::toString).orElse(""));
        words.addAll(cached.map(CachedProgram::jvmOptions).orElse(JVM_OPTIONS));
        words.addAll(jvmOptions);
        words.addAll(
                List.of("-cp", cached.map(CachedProgram::classPath).orElse(classPath) + behind(), mainClass.getName()));
        words.addAll(arguments);
        return words;
    }

    private String behind() {
        return added.stream().map(directory -> ":" + directory).collect(Collectors.joining());
    }

    /** Returns whether the cache fits: the JVM checks the class path and reports options that contradict it. */
    private boolean isUnchanged() {
        return isClassPathUnchanged()
                && jvmOptions.contains(NATIVE_ACCESS)
                && jvmOptions.stream().allMatch(option -> option.equals(NATIVE_ACCESS) || option.startsWith("-D"));
    }

    static String text(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /**
     * Returns how many processes of the machine have an argument equal to the text; zombies do
     * not count.
     */
    public static long processesWith(String argument) {
        try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            long count = 0;
            for (Path process : all) {
                count += hasArgument(process, argument) ? 1 : 0;
            }
            return count;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static boolean hasArgument(Path process, String argument) {
        try {
            String line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
            return List.of(line.split("\0")).contains(argument);
        } catch (IOException ended) {
            return false;
        }
    }
}
