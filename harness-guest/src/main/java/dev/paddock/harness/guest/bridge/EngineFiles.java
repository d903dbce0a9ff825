package dev.paddock.harness.guest.bridge;

import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.guest.GuestOptions;
import dev.paddock.harness.guest.GuestOptions.Engine;
import dev.paddock.harness.guest.engine.GuestMain;
import dev.paddock.harness.workspace.owned.OwnedDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Prepares the files of a guest's process inside its sandbox: a private working directory, the engine's files, the
 * class path and the Java that runs it. Only the first is writable.
 */
public final class EngineFiles implements AutoCloseable {
    /** The first Java with {@code -XX:AOTCacheOutput}. */
    private static final int AOT_RELEASE = 25;

    /** A JVM's memory in addition to the engine's: heap, classes and stacks. */
    private static final long JVM_BYTES = 256L << 20;

    private final GuestOptions options;
    private final OwnedDirectory directory;
    private final EngineStore store;
    private final Path java;

    private EngineFiles(GuestOptions options, OwnedDirectory directory, EngineStore store, Path java) {
        this.options = options;
        this.directory = directory;
        this.store = store;
        this.java = java;
    }

    /**
     * Creates the files, or reuses those of another session.
     *
     * @param options the engine and its limits
     * @return the files; the caller closes them
     * @throws UncheckedIOException if they cannot be written, or the engine does not exist for this platform
     */
    public static EngineFiles create(GuestOptions options) {
        try {
            OwnedDirectory directory = OwnedDirectory.create(OwnedDirectory.temporary(), "paddock-guest");
            try {
                Files.createDirectory(directory.path().resolve("work"));
                return new EngineFiles(
                        options,
                        directory,
                        EngineStore.open(options.engine(), GuestCache.directory(), directory.path()),
                        Path.of(System.getProperty("java.home", "")).toRealPath());
            } catch (IOException | RuntimeException fault) {
                directory.close();
                throw fault;
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the files of the guests' engine cannot be made: " + FileFaults.reason(fault), fault);
        }
    }

    /** {@return the directory that guests work in, at the same path on both sides} */
    public PathMapping worktree() {
        return PathMapping.same(directory.path().resolve("work"));
    }

    /**
     * {@return the read-only mounts of the files that guests see in addition to their directory, at their own paths}
     */
    public List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>();
        mounts.add(readOnly(store.directory()));
        if (options.engine() == Engine.QUICKJS) {
            store.classPath().stream()
                    .filter(path -> !path.startsWith(store.directory()))
                    .forEach(path -> mounts.add(readOnly(path)));
            if (!store.classes().startsWith(store.directory())) {
                mounts.add(readOnly(store.classes()));
            }
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
     * Returns whether a class cache is possible but missing: the store is shared, and neither a session nor a release
     * has written one.
     *
     * @return whether {@link ClassTraining} is of use
     */
    public boolean lacksClassCache() {
        return options.engine() == Engine.QUICKJS && store.isShared() && Files.notExists(classes());
    }

    /** Returns the path of the store's class cache, which may not exist yet. */
    Path classes() {
        return store.classes();
    }

    /** {@return the command that starts a guest, for a POSIX shell} */
    public String command() {
        return options.engine() == Engine.NODE
                ? "exec " + ShellQuoting.posix(nodeWords())
                : javaCommand(Files.exists(classes()) ? List.of(useOption()) : List.of());
    }

    /** Returns the command that starts a guest that stores its classes at exit. */
    String trainingCommand(Path output) {
        return javaCommand(List.of(
                (Runtime.version().feature() >= AOT_RELEASE ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=")
                        + output));
    }

    private String useOption() {
        return (Runtime.version().feature() >= AOT_RELEASE ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + classes();
    }

    private List<String> nodeWords() {
        return List.of(
                "node",
                "--experimental-vm-modules",
                "--no-warnings",
                "--max-old-space-size=" + Math.max(16, options.engineBytes() >> 20),
                store.file(EngineStore.NODE).toString(),
                store.file(EngineStore.BRIDGE).toString());
    }

    /** The JVM ignores a cache of another Java or of other jars, which only costs speed. */
    private String javaCommand(List<String> cacheOptions) {
        List<String> words = new ArrayList<>();
        words.add(java.resolve("bin/java").toString());
        words.addAll(cacheOptions);
        words.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx96m",
                "-Xlog:disable",
                "-Dcom.dokar.quickjs.library.path=" + store.directory(),
                "-Dcom.dokar.quickjs.library.name=" + EngineStore.LIBRARY));
        words.addAll(program());
        words.addAll(List.of(
                store.file(EngineStore.BRIDGE).toString(),
                Long.toString(options.engineBytes()),
                Long.toString(options.timeout().toMillis())));
        // A limit per process; the sandbox's limit covers all guests together.
        return "ulimit -d " + ((options.engineBytes() + JVM_BYTES) >> 10) + "; exec " + ShellQuoting.posix(words);
    }

    /** Returns the JVM arguments for the guest's program: a module of a release's Java, or jars. */
    private List<String> program() {
        String main = GuestMain.class.getName();
        if (store.classPath().isEmpty()) {
            String module = GuestMain.class.getModule().getName();
            return List.of("--enable-native-access=" + module, "-m", module + "/" + main);
        }
        String jars = store.classPath().stream().map(Path::toString).collect(Collectors.joining(":"));
        return List.of("--enable-native-access=ALL-UNNAMED", "-cp", jars, main);
    }

    @Override
    public void close() {
        try {
            directory.close();
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "'" + directory.path() + "' could not be removed: " + FileFaults.reason(fault)
                            + "; remove it yourself",
                    fault);
        }
    }
}
