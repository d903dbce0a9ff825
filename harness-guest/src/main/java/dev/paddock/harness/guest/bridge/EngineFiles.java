package dev.paddock.harness.guest.bridge;

import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.guest.GuestOptions;
import dev.paddock.harness.guest.GuestOptions.Engine;
import dev.paddock.harness.guest.engine.GuestMain;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Prepares the files of a guest's process inside its sandbox: a directory of its own to work in, the
 * engine's files, the class path and the Java that runs it. All but the first are read-only.
 */
public final class EngineFiles implements AutoCloseable {
    private static final String LIBRARY = "quickjs";
    private static final List<String> CLASSES = List.of(
            "dev/paddock/harness/guest/engine/GuestMain.class",
            "com/dokar/quickjs/QuickJs.class",
            "kotlin/Unit.class",
            "kotlinx/coroutines/Job.class");

    private final GuestOptions options;
    private final Path directory;
    private final List<Path> classPath = new ArrayList<>();
    private final Path java;

    private EngineFiles(GuestOptions options, Path directory, Path java) {
        this.options = options;
        this.directory = directory;
        this.java = java;
    }

    /**
     * Creates the files.
     *
     * @param options the engine and its limits
     * @return the files; the caller closes them
     * @throws UncheckedIOException if they cannot be written, or the engine does not exist for this
     *     platform
     */
    public static EngineFiles create(GuestOptions options) {
        try {
            Path directory = Files.createTempDirectory("paddock-guest-").toRealPath();
            EngineFiles files = new EngineFiles(
                    options,
                    directory,
                    Path.of(System.getProperty("java.home", "")).toRealPath());
            try {
                files.write();
            } catch (IOException | RuntimeException fault) {
                files.close();
                throw fault;
            }
            return files;
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the files of the guests' engine cannot be made: " + fault.getMessage(), fault);
        }
    }

    private void write() throws IOException {
        Files.createDirectory(work());
        Path engine = Files.createDirectory(engine());
        copy("/dev/paddock/harness/guest/engine/bridge.js", engine.resolve("bridge.js"));
        if (options.engine() == Engine.NODE) {
            copy("/dev/paddock/harness/guest/engine/node.mjs", engine.resolve("node.mjs"));
            return;
        }
        copy(
                "/jni/" + platform() + "/" + System.mapLibraryName("quickjs"),
                engine.resolve(System.mapLibraryName(LIBRARY)));
        Set<Path> places = new LinkedHashSet<>();
        for (String type : CLASSES) {
            places.add(place(type));
        }
        classPath.addAll(places);
    }

    private static String platform() throws IOException {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String machine = processor.equals("amd64") || processor.equals("x86_64")
                ? "x64"
                : processor.equals("aarch64") || processor.equals("arm64") ? "aarch64" : "";
        if (machine.isEmpty() || !(system.contains("linux") || system.contains("mac"))) {
            throw new IOException("QuickJS comes for Linux and macOS on x64 and aarch64, not for " + system + " on "
                    + processor + "; use the engine 'node'");
        }
        return (system.contains("mac") ? "macos_" : "linux_") + machine;
    }

    /** Returns the jar or directory that a class comes from, without loading the class. */
    private static Path place(String type) throws IOException {
        URL found = GuestMain.class.getClassLoader().getResource(type);
        if (found == null) {
            throw new IOException("the class " + type + " is not on the class path");
        }
        String text = found.toString();
        String place = text.startsWith("jar:")
                ? text.substring("jar:".length(), text.indexOf("!/"))
                : text.substring(0, text.length() - type.length());
        if (!place.startsWith("file:")) {
            throw new IOException("the class " + type + " is in no file that a sandbox could see: " + text);
        }
        return Path.of(URI.create(place)).toRealPath();
    }

    private static void copy(String resource, Path to) throws IOException {
        try (InputStream in = resource.startsWith("/jni/")
                ? GuestMain.class.getClassLoader().getResourceAsStream(resource.substring(1))
                : EngineFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("the resource " + resource + " is missing");
            }
            Files.copy(in, to);
        }
    }

    /**
     * Returns the directory that guests work in.
     *
     * @return the directory, at the same path on both sides
     */
    public PathMapping worktree() {
        return PathMapping.same(work());
    }

    /**
     * Returns what guests see besides their directory.
     *
     * @return the mounts, read-only, at their own paths
     */
    public List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>();
        mounts.add(readOnly(engine()));
        if (options.engine() == Engine.QUICKJS) {
            classPath.forEach(path -> mounts.add(readOnly(path)));
            mounts.add(readOnly(java));
            // Debian's packages keep parts of a Java below /etc, behind links.
            for (String part : List.of("conf", "lib/jvm.cfg", "lib/security")) {
                realPlace(java.resolve(part)).ifPresent(place -> {
                    if (mounts.stream().noneMatch(mount -> place.startsWith(mount.source()))) {
                        mounts.add(readOnly(place));
                    }
                });
            }
        }
        return mounts;
    }

    private Optional<Path> realPlace(Path part) {
        try {
            Path real = part.toRealPath();
            return real.startsWith(java) || real.startsWith("/usr") || real.getNameCount() < 2
                    ? Optional.empty()
                    : Optional.of(real.getRoot().resolve(real.subpath(0, 2)));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    private static Mount readOnly(Path path) {
        return new Mount(path, path.toString(), Mount.Access.READ_ONLY);
    }

    /**
     * Returns the command that starts a guest.
     *
     * @return a command of a POSIX shell
     */
    public String command() {
        List<String> words = new ArrayList<>();
        String millis = Long.toString(options.timeout().toMillis());
        if (options.engine() == Engine.NODE) {
            words.addAll(List.of(
                    "node",
                    "--experimental-vm-modules",
                    "--no-warnings",
                    "--max-old-space-size=" + Math.max(16, options.engineBytes() >> 20),
                    engine().resolve("node.mjs").toString(),
                    engine().resolve("bridge.js").toString()));
        } else {
            words.addAll(List.of(
                    java.resolve("bin/java").toString(),
                    "-Xshare:auto",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-XX:-UsePerfData",
                    "-Xmx96m",
                    "-Xlog:disable",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dcom.dokar.quickjs.library.path=" + engine(),
                    "-Dcom.dokar.quickjs.library.name=" + System.mapLibraryName(LIBRARY),
                    "-cp",
                    String.join(":", classPath.stream().map(Path::toString).toList()),
                    GuestMain.class.getName(),
                    engine().resolve("bridge.js").toString(),
                    Long.toString(options.engineBytes()),
                    millis));
        }
        return "exec " + ShellQuoting.posix(words);
    }

    private Path work() {
        return directory.resolve("work");
    }

    private Path engine() {
        return directory.resolve("engine");
    }

    @Override
    public void close() {
        if (Files.notExists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "'" + directory + "' could not be removed: " + fault.getMessage() + "; remove it yourself", fault);
        }
    }
}
