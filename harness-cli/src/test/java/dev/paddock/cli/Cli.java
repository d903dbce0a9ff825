package dev.paddock.cli;

import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.tck.subject.HostSignals;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Starts the program in a separate JVM, as a user would start it: from jars and with a class cache, unless a
 * test changes the class path or an option of the JVM, or the libraries are directories of classes.
 */
public final class Cli {

    /** Longer than any call takes on a busy machine: only a call that hangs reaches it. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What the launcher says of itself; the program ends by itself only where one has started it. */
    private static final String LAUNCHER =
            "-Dpaddock.launcher=" + Path.of("..", "paddock").toAbsolutePath().normalize();

    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** Those of a start without the cache. */
    private static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Made before the test begins to measure how long a call takes. */
    private final Optional<CachedProgram> program = CachedProgram.present();

    private final ProcessBuilder builder = new ProcessBuilder();
    private final List<String> jvmOptions = new ArrayList<>(List.of(NATIVE_ACCESS));
    private String classPath = System.getProperty("java.class.path");

    private List<String> launcher = List.of();
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

    public Cli jvm(String option) {
        jvmOptions.add(option);
        return this;
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

    /** Puts a directory before everything else on the class path. */
    public Cli classPath(Path directory) {
        classPath = directory + ":" + classPath;
        return this;
    }

    /** Takes the sandboxes off the class path; the host stays. */
    public Cli withoutSandboxes() {
        classPath = Arrays.stream(classPath.split(":", -1))
                .filter(entry -> !entry.matches(".*executor-(bwrap|landlock|seatbelt|docker).*"))
                .collect(Collectors.joining(":"));
        return this;
    }

    /**
     * Resets the signals' dispositions: the process that started the tests may ignore signals, and
     * children inherit that.
     */
    public Cli withSignals() {
        launcher = List.of("env", "--default-signal=INT,HUP,TERM");
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

    public Result run(String... arguments) throws IOException, InterruptedException {
        return finish(start(arguments));
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
        List<String> words = new ArrayList<>(launcher);
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Optional<CachedProgram> cached = isUnchanged() ? program : Optional.empty();
        words.add(LAUNCHER);
        words.addAll(cached.map(CachedProgram::jvmOptions).orElse(JVM_OPTIONS));
        words.addAll(jvmOptions);
        words.addAll(List.of("-cp", cached.map(CachedProgram::classPath).orElse(classPath), mainClass.getName()));
        words.addAll(arguments);
        return words;
    }

    /** Returns whether the cache fits: the JVM checks the class path and reports options that contradict it. */
    private boolean isUnchanged() {
        return classPath.equals(System.getProperty("java.class.path"))
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
