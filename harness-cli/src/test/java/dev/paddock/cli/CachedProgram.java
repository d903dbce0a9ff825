package dev.paddock.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The program as the tests start it: a jar of the classes that Maven has compiled, its libraries, the
 * launcher's options, and the class cache that the launcher's build trains for the MCP server, which has
 * the commands' classes, too. From the directory of the classes, which no cache covers, a start takes three
 * times the processor time. All of it is made once for each build, under {@code target}.
 *
 * @param classPath the program's jar, its libraries, and the tests' own classes behind them
 * @param jvmOptions the launcher's options, and the one that selects the cache
 */
record CachedProgram(String classPath, List<String> jvmOptions) {
    private static final Path CLASSES = Path.of("target", "classes").toAbsolutePath();
    private static final Path TEST_CLASSES = Path.of("target", "test-classes").toAbsolutePath();
    private static final Path PLACE = Path.of("target", "program").toAbsolutePath();
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final int FIRST_AOT_RELEASE = 25;
    private static final Optional<CachedProgram> PRESENT = find();

    /** Trains the cache unless it exists, and prints a line for each option. */
    private static final String TRAIN = """
            root=$1 app=$2 jdk_major=$3
            . "$root/build/launcher.sh"
            . "$root/build/app.sh"
            apps=$app cache=$app/cache native=$app/native places=mcp utf8=C.UTF-8
            java_options "$jdk_major"
            [ -d "$native" ] || unpack_native
            [ -d "$native" ] || native=
            [ -e "$cache" ] || train_app
            printf '%s\n' $java_options
            [ -z "$native" ] || echo "-Djffi.boot.library.path=$native"
            """;

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
        Path app = PLACE.resolve(key(libraries));
        Path jar = app.resolve("program.jar");
        Path cache = app.resolve("cache");
        String path = jar + File.pathSeparator + String.join(File.pathSeparator, libraries);
        Files.createDirectories(app.resolve("lib"));
        List<String> options;
        try (FileChannel lock =
                FileChannel.open(app.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock(); // two JVMs of tests run at a time
            if (!Files.exists(cache)) {
                pack(jar);
                for (String library : libraries) {
                    Path link = app.resolve("lib").resolve(Path.of(library).getFileName());
                    Files.deleteIfExists(link);
                    Files.createSymbolicLink(link, Path.of(library));
                }
                Files.writeString(app.resolve("class-path"), path + "\n");
            }
            options = train(app);
        }
        if (Files.size(cache) == 0) {
            throw new IOException("no class cache of the program could be made: see " + app.resolve("train.log"));
        }
        options.add((Runtime.version().feature() >= FIRST_AOT_RELEASE ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=")
                + cache);
        return new CachedProgram(path + File.pathSeparator + TEST_CLASSES, options);
    }

    private static List<String> train(Path app) throws IOException {
        ProcessBuilder shell = new ProcessBuilder(
                        "sh",
                        "-euc",
                        TRAIN,
                        "sh",
                        CHECKOUT.toString(),
                        app.toString(),
                        Integer.toString(Runtime.version().feature()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        shell.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try {
            Process process = shell.start();
            List<String> options = Cli.text(process.getInputStream()).lines().collect(Collectors.toList());
            if (process.waitFor() != 0) {
                throw new IOException("the launcher's build cannot train the program in " + app);
            }
            return options;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the program is trained", interrupted);
        }
    }

    /** Returns a name that changes with the classes, the libraries and the Java that a cache is made of. */
    private static String key(List<String> libraries) throws IOException {
        StringBuilder files = new StringBuilder(System.getProperty("java.home"));
        describe(files, CHECKOUT.resolve("build/launcher.sh"));
        describe(files, CHECKOUT.resolve("build/app.sh"));
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
}
