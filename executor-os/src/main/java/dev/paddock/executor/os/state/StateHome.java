package dev.paddock.executor.os.state;

import dev.paddock.executor.caller.CallerEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Locates Paddock's state on this machine: in the XDG base directories, or without them in a directory for temporary
 * files.
 */
public final class StateHome {
    private static final String OWN_ALONE = "rwx------";

    private StateHome() {}

    /**
     * Returns {@code $XDG_STATE_HOME/paddock}, by default below {@code ~/.local/state}.
     *
     * @param environment the user's environment
     * @param home the user's home directory
     * @return an absolute path, which need not exist; empty for a user without a home
     */
    public static Optional<Path> of(Map<String, String> environment, String home) {
        Path state = Path.of(environment.getOrDefault("XDG_STATE_HOME", ""));
        // The XDG base directory specification says to ignore a path that is not absolute.
        Path base = state.isAbsolute() ? state : Path.of(home, ".local", "state");
        return Optional.of(base.resolve("paddock")).filter(Path::isAbsolute);
    }

    /**
     * Returns {@code $XDG_CACHE_HOME/paddock/guest}, by default below {@code ~/.cache}: the engines and modules that
     * later guest sessions run on this machine.
     *
     * @param environment the user's environment
     * @param home the user's home directory
     * @return an absolute path, which need not exist; empty for a user without a home
     */
    public static Optional<Path> guests(Map<String, String> environment, String home) {
        Path cache = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
        Path base = cache.isAbsolute() ? cache : Path.of(home, ".cache");
        return Optional.of(base.resolve("paddock").resolve("guest")).filter(Path::isAbsolute);
    }

    /** Returns the parent of all directories of this user's executors; creates it if it does not exist. */
    static Path executors() throws IOException {
        Map<String, String> environment = CallerEnvironment.ofProcess(); // all callers share one state directory
        List<Path> candidates = new ArrayList<>();
        of(environment, System.getProperty("user.home", "?")).ifPresent(candidates::add);
        runtimeDirectory(environment).ifPresent(candidates::add);
        candidates.add(Path.of(
                        System.getProperty("java.io.tmpdir", "/tmp"),
                        "paddock-" + System.getProperty("user.name", "user"))
                .toAbsolutePath());
        return firstUsable(candidates);
    }

    static Path firstUsable(List<Path> candidates) throws IOException {
        IOException faults = new IOException("Paddock's state directory could not be created at any of " + candidates
                + "; set XDG_STATE_HOME to a writable directory");
        for (Path candidate : candidates) {
            try {
                return make(candidate.resolve("run"));
            } catch (IOException fault) {
                faults.addSuppressed(fault);
            }
        }
        throw faults;
    }

    /**
     * Returns the XDG runtime directory if only the user can access it, as the specification demands, and programs can
     * be executed from it.
     */
    private static Optional<Path> runtimeDirectory(Map<String, String> environment) throws IOException {
        Path directory = Path.of(environment.getOrDefault("XDG_RUNTIME_DIR", ""));
        boolean usable = directory.isAbsolute()
                && Files.isDirectory(directory)
                && Files.isWritable(directory)
                && PosixFilePermissions.toString(Files.getPosixFilePermissions(directory))
                        .equals(OWN_ALONE)
                && !isMountedNoexec(directory.toRealPath());
        return usable ? Optional.of(directory.resolve("paddock")) : Optional.empty();
    }

    private static boolean isMountedNoexec(Path directory) throws IOException {
        Path mounts = Path.of("/proc/self/mounts");
        if (!Files.isReadable(mounts)) {
            return false;
        }
        String options = "";
        int depth = -1;
        for (String line : Files.readAllLines(mounts)) {
            String[] fields = line.split(" ", -1);
            Path point = Path.of(fields[1]);
            if (directory.startsWith(point) && point.getNameCount() >= depth) {
                depth = point.getNameCount();
                options = fields[3];
            }
        }
        return List.of(options.split(",", -1)).contains("noexec");
    }

    /** Creates a directory and checks its owner, who could replace the files in it. */
    private static Path make(Path directory) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWN_ALONE)));
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("'" + directory + "' is a link; remove it");
        }
        Path real = directory.toRealPath();
        Path probe = Files.createFile(
                real.resolve(UniqueName.after("probe-")),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            if (!Files.getOwner(probe).equals(Files.getOwner(real))) {
                throw new IOException("'" + directory + "' belongs to another user; remove it");
            }
        } finally {
            Files.delete(probe);
        }
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString(OWN_ALONE));
        return real;
    }
}
