package dev.paddock.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The program as the tests start it: a jar of the classes that Maven has compiled, its libraries, and a
 * cache of the classes that a start loads, as people's starts have, with the launcher's options. From the directory of the classes,
 * which no cache covers, a start takes three times the processor time. Both files are made once for each
 * build, under {@code target}.
 *
 * @param classPath  the program's jar, its libraries, and the tests' own classes behind them
 * @param jvmOptions the launcher's options, and the one that selects the cache
 */
record CachedProgram(String classPath, List<String> jvmOptions) {
    private static final Path CLASSES = Path.of("target", "classes").toAbsolutePath();
    private static final Path TEST_CLASSES = Path.of("target", "test-classes").toAbsolutePath();
    private static final Path LAUNCHER = Path.of("..", "build", "launcher.sh").toAbsolutePath();
    private static final Path PLACE = Path.of("target", "program").toAbsolutePath();
    private static final String NATIVE = "libjffi-1.2.so";
    private static final int FIRST_AOT_RELEASE = 25;
    private static final Optional<CachedProgram> PRESENT = find();

    /** Returns it, or empty where a library is a directory of classes: Maven has made no jar of it yet. */
    static Optional<CachedProgram> present() {
        return PRESENT;
    }

    private static Optional<CachedProgram> find() {
        List<String> libraries = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry ->
                        !Path.of(entry).equals(CLASSES) && !Path.of(entry).equals(TEST_CLASSES))
                .toList();
        if (!libraries.stream().allMatch(entry -> entry.endsWith(".jar") && Files.isRegularFile(Path.of(entry)))) {
            return Optional.empty();
        }
        try {
            return Optional.of(prepare(libraries));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static CachedProgram prepare(List<String> libraries) throws IOException {
        Path home = PLACE.resolve(key(libraries));
        Path jar = home.resolve("program.jar");
        String cached = jar + File.pathSeparator + String.join(File.pathSeparator, libraries);
        Path cache = home.resolve("cache");
        Files.createDirectories(home);
        try (FileChannel lock =
                FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock(); // two JVMs of tests run at a time
            if (!Files.exists(cache)) {
                pack(jar);
                unpackNative(libraries, home);
                train(home, cached, cache);
            }
        }
        List<String> options = new ArrayList<>(launcherOptions(home));
        options.add((usesAot() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + cache);
        return new CachedProgram(cached + File.pathSeparator + TEST_CLASSES, options);
    }

    /**
     * Unpacks the native library beside the jar, as the launcher's build does: a start would unpack it into the
     * temporary directory, and leave it there if it ends at that moment.
     */
    private static void unpackNative(List<String> libraries, Path home) throws IOException {
        String machine = System.getProperty("os.arch").replace("amd64", "x86_64");
        for (String library : libraries) {
            if (Path.of(library).getFileName().toString().matches("jffi-.*-native\\.jar")) {
                try (JarFile jar = new JarFile(library)) {
                    JarEntry entry = jar.getJarEntry("jni/" + machine + "-Linux/" + NATIVE);
                    if (entry != null) {
                        Files.copy(
                                jar.getInputStream(entry), home.resolve(NATIVE), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    /** Returns the options with which the launcher starts this Java. */
    private static List<String> launcherOptions(Path home) throws IOException {
        Process shell = new ProcessBuilder(
                        "sh",
                        "-c",
                        ". \"$1\"; java_options \"$2\"; printf '%s\\n' $java_options",
                        "sh",
                        LAUNCHER.toString(),
                        Integer.toString(Runtime.version().feature()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> options = Cli.text(shell.getInputStream()).lines().collect(Collectors.toList());
        if (options.isEmpty()) {
            throw new IOException(LAUNCHER + " names no options");
        }
        if (Files.exists(home.resolve(NATIVE))) {
            options.add("-Djffi.boot.library.path=" + home);
        }
        return options;
    }

    private static boolean usesAot() {
        return Runtime.version().feature() >= FIRST_AOT_RELEASE;
    }

    /** Returns a name that changes with the classes, the libraries and the Java that a cache is made of. */
    private static String key(List<String> libraries) throws IOException {
        StringBuilder files = new StringBuilder(System.getProperty("java.home"));
        describe(files, LAUNCHER);
        for (Path file : classFiles()) {
            describe(files, file);
        }
        for (String library : libraries) {
            describe(files, Path.of(library));
        }
        return UUID.nameUUIDFromBytes(files.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private static void describe(StringBuilder files, Path file) throws IOException {
        files.append('\n').append(file).append(' ').append(Files.size(file));
        files.append(' ').append(Files.getLastModifiedTime(file).toMillis());
    }

    private static List<Path> classFiles() throws IOException {
        try (Stream<Path> all = Files.walk(CLASSES)) {
            return all.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
    }

    private static void pack(Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(file)) {
            entries.setLevel(0);
            for (Path path : classFiles()) {
                entries.putNextEntry(new JarEntry(CLASSES.relativize(path).toString()));
                Files.copy(path, entries);
            }
        }
    }

    /** Runs the training of the program's own builds, with the MCP server's classes: the tests start it often. */
    private static void train(Path home, String classPath, Path cache) throws IOException {
        Path made = home.resolve("made");
        Path worktree = Files.createDirectories(home.resolve("training"));
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        line.addAll(launcherOptions(home));
        line.add((usesAot() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + made);
        line.addAll(List.of("-cp", classPath, CdsTraining.class.getName(), "mcp"));
        Path log = home.resolve("log");
        ProcessBuilder training = new ProcessBuilder(line)
                .directory(worktree.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        for (String place : List.of("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")) {
            training.environment().put(place, home.resolve("training-home").toString());
        }
        Process process = training.start();
        try {
            if (!process.waitFor(2, TimeUnit.MINUTES) || !Files.exists(made)) {
                throw new IOException(
                        "The JVM made no cache of the program's classes; it wrote:\n" + Files.readString(log));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the JVM makes a cache of the program's classes", interrupted);
        } finally {
            process.destroyForcibly();
        }
        Files.move(made, cache, StandardCopyOption.ATOMIC_MOVE);
    }
}
