package dev.paddock.harness.guest.bridge;

import dev.paddock.harness.guest.GuestOptions.Engine;
import dev.paddock.harness.guest.engine.GuestMain;
import dev.paddock.harness.workspace.owned.OwnedDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;

/**
 * The files of an engine, in a directory of the user's cache whose name is a hash of them and of the Java that runs
 * them. A process creates it once and renames it when complete; afterwards only a class cache is added, where no
 * release contains one.
 *
 * @param directory the directory
 * @param classPath the jars of QuickJS's program, all of them files, since a class cache does not support directories;
 *     empty in a release, whose Java contains the program, and for Node
 * @param classes the path of the class cache, which may not exist yet: in the directory, or in a release
 * @param isShared whether it is in the user's cache, and not a session's own
 */
record EngineStore(Path directory, List<Path> classPath, Path classes, boolean isShared) {
    static final String BRIDGE = "bridge.js";
    private static final String GLOBALS = "globals.js";
    private static final String URLS = "url.js";
    static final String NODE = "node.mjs";
    static final String LIBRARY = System.mapLibraryName("quickjs");
    private static final String RESOURCES = "/dev/paddock/harness/guest/engine/";
    private static final String PROGRAM = "guest.jar";
    private static final String CLASSES = "classes.aot";

    /** The class cache in a release, next to its Java. */
    private static final String RELEASED_CLASSES = "cache/paddock-guest.aot";

    private static final String MAIN = GuestMain.class.getName().replace('.', '/') + ".class";

    private static final Pattern NAME = Pattern.compile("[0-9a-f]{24}");
    private static final Duration UNUSED = Duration.ofDays(30);

    /** A class of each library of the guest's program. */
    private static final List<String> LIBRARIES =
            List.of("com/dokar/quickjs/QuickJs.class", "kotlin/Unit.class", "kotlinx/coroutines/Job.class");

    EngineStore {
        classPath = List.copyOf(classPath);
    }

    /**
     * Returns the store of an engine; creates it if it does not exist.
     *
     * @param cache the user's cache, if there is one
     * @param own an existing directory for the files if there is no cache
     */
    static EngineStore open(Engine engine, Optional<Path> cache, Path own) throws IOException {
        Map<String, byte[]> files = engine == Engine.NODE ? node() : quickJs();
        boolean isInJava = engine == Engine.QUICKJS && isInJava();
        Set<Path> libraries = engine == Engine.NODE || isInJava ? Set.of() : libraries();
        Path directory;
        if (cache.isPresent()) {
            directory = cache.get().resolve(key(files, libraries));
            if (!Files.isDirectory(directory)) {
                make(directory, cache.get(), files);
            }
            Files.setLastModifiedTime(directory, FileTime.fromMillis(System.currentTimeMillis()));
        } else {
            directory = Files.createDirectory(own.resolve("engine"));
            write(directory, files);
        }
        List<Path> classPath = new ArrayList<>(libraries);
        if (engine == Engine.QUICKJS && !isInJava) {
            classPath.add(0, directory.resolve(PROGRAM));
        }
        Optional<Path> released = isInJava ? releasedClasses() : Optional.empty();
        return new EngineStore(directory, classPath, released.orElse(directory.resolve(CLASSES)), cache.isPresent());
    }

    /** Returns whether the guest's program is a part of the Java that runs here, as in a release. */
    private static boolean isInJava() {
        return String.valueOf(GuestMain.class.getClassLoader().getResource(MAIN))
                .startsWith("jrt:");
    }

    private static Optional<Path> releasedClasses() {
        return Optional.of(Path.of(System.getProperty("java.home")).resolveSibling(RELEASED_CLASSES))
                .filter(Files::isReadable);
    }

    private static void make(Path directory, Path cache, Map<String, byte[]> files) throws IOException {
        try (OwnedDirectory unfinished = OwnedDirectory.create(cache, "engine")) {
            Path made = Files.createDirectory(unfinished.path().resolve("made"));
            write(made, files);
            Files.move(made, directory, StandardCopyOption.ATOMIC_MOVE);
            retire(cache, unfinished.path());
        } catch (FileSystemException fault) {
            if (!Files.isDirectory(directory)) { // no other process was faster
                throw fault;
            }
        }
    }

    /** Moves stores unused for a long time to a directory that is then removed. */
    private static void retire(Path cache, Path removed) throws IOException {
        long oldest = System.currentTimeMillis() - UNUSED.toMillis();
        try (DirectoryStream<Path> stores = Files.newDirectoryStream(cache)) {
            for (Path store : stores) {
                String name = String.valueOf(store.getFileName());
                if (NAME.matcher(name).matches()
                        && Files.getLastModifiedTime(store).toMillis() < oldest) {
                    Files.move(store, removed.resolve(name), StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
    }

    /** Reads the native library, a megabyte, only for a new store; the key uses its jar instead. */
    private static void write(Path directory, Map<String, byte[]> files) throws IOException {
        if (files.containsKey(MAIN)) {
            Files.write(directory.resolve(LIBRARY), read("jni/" + platform() + "/" + LIBRARY));
        }
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (file.getKey().equals(MAIN)) {
                writeProgram(directory.resolve(PROGRAM), file.getValue());
            } else {
                Files.write(directory.resolve(file.getKey()), file.getValue());
            }
        }
    }

    private static void writeProgram(Path jar, byte[] main) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new JarEntry(MAIN));
            entries.write(main);
        }
    }

    /** Returns one comma expression: it defines the names that the engine lacks; its value is the bridge. */
    private static byte[] bridge() throws IOException {
        String globals = new String(own(GLOBALS), StandardCharsets.UTF_8);
        String urls = new String(own(URLS), StandardCharsets.UTF_8);
        String bridge = new String(own(BRIDGE), StandardCharsets.UTF_8);
        return ("(" + globals + ",\n" + urls + ",\n" + bridge + ")").getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, byte[]> node() throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(BRIDGE, bridge());
        files.put(NODE, own(NODE));
        return files;
    }

    private static Map<String, byte[]> quickJs() throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(BRIDGE, bridge());
        files.put(MAIN, own(GuestMain.class.getSimpleName() + ".class"));
        return files;
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

    private static byte[] own(String name) throws IOException {
        try (InputStream in = GuestMain.class.getResourceAsStream(RESOURCES + name)) {
            return bytes(name, Optional.ofNullable(in));
        }
    }

    private static byte[] read(String resource) throws IOException {
        try (InputStream in = GuestMain.class.getClassLoader().getResourceAsStream(resource)) {
            return bytes(resource, Optional.ofNullable(in));
        }
    }

    private static byte[] bytes(String resource, Optional<InputStream> in) throws IOException {
        if (in.isEmpty()) {
            throw new IOException("the resource " + resource + " is missing");
        }
        return in.get().readAllBytes();
    }

    private static Set<Path> libraries() throws IOException {
        Set<Path> libraries = new LinkedHashSet<>();
        for (String type : LIBRARIES) {
            libraries.add(library(type));
        }
        return libraries;
    }

    /** Returns the jar that a class comes from, without loading the class. */
    private static Path library(String type) throws IOException {
        String text = String.valueOf(GuestMain.class.getClassLoader().getResource(type));
        if (!text.startsWith("jar:file:")) {
            throw new IOException("the class " + type + " is not in a jar that a sandbox could mount: " + text);
        }
        return Path.of(URI.create(text.substring("jar:".length(), text.indexOf("!/"))))
                .toRealPath();
    }

    /** Returns a name for these files with these libraries, for the Java that runs here. */
    private static String key(Map<String, byte[]> files, Set<Path> libraries) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            StringBuilder names = new StringBuilder()
                    .append(System.getProperty("java.home"))
                    .append(' ')
                    .append(System.getProperty("java.vm.version"));
            for (Path library : libraries) {
                names.append('\n').append(library).append(' ').append(Files.size(library));
                names.append(' ').append(Files.getLastModifiedTime(library));
            }
            digest.update(names.toString().getBytes(StandardCharsets.UTF_8));
            files.values().forEach(digest::update);
            return HexFormat.of().formatHex(digest.digest(), 0, 12);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    Path file(String name) {
        return directory.resolve(name);
    }
}
