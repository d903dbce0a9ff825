package dev.paddock.harness.guest.module;

import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The transpiler's answers in the user's cache, one file each, named by the hash of the source. The directory belongs
 * to one container root: code that escapes the transpiler's engine can forge only modules of its own project.
 */
public final class TranspiledFiles {
    private static final Logger LOG = LateLogger.of(TranspiledFiles.class);
    private static final int MAX_FILES = 2_048;

    private final Optional<Path> directory;
    private boolean pruned;

    private TranspiledFiles(Optional<Path> directory) {
        this.directory = directory;
    }

    /**
     * Returns the files for a container's root. Creates nothing before the first file is cached.
     *
     * @param cache the user's private cache; if empty, nothing is cached
     * @param root the container's root
     * @return the files
     */
    public static TranspiledFiles of(Optional<Path> cache, Path root) {
        String name = Sha256.hex(root.toString() + '\n' + TranspilerCode.text()).substring(0, 24);
        return new TranspiledFiles(cache.map(path -> path.resolve("transpiled").resolve(name)));
    }

    /** Returns a cached answer; empty if there is none or it cannot be read. */
    Optional<String> find(String key) {
        if (directory.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(directory.get().resolve(key), StandardCharsets.UTF_8));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "the transpiled module " + key + " is transpiled again: " + unreadable.toString());
            return Optional.empty();
        }
    }

    /** Caches an answer; a failure is logged and only costs time. */
    synchronized void keep(String key, String answer) {
        if (directory.isEmpty()) {
            return;
        }
        try {
            Path place = directory.get();
            Files.createDirectories(
                    place, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            prune(place);
            Path unfinished = Files.createTempFile(place, "new-", "");
            Files.writeString(unfinished, answer, StandardCharsets.UTF_8);
            Files.move(unfinished, place.resolve(key), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "the transpiled module " + key + " is not kept: " + fault.toString());
        }
    }

    /** Removes the older half if there are many, once per session. */
    private void prune(Path place) throws IOException {
        if (pruned) {
            return;
        }
        pruned = true;
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(place)) {
            all.forEach(files::add);
        }
        if (files.size() > MAX_FILES) {
            files.sort(Comparator.comparing(TranspiledFiles::modified));
            for (Path old : files.subList(0, files.size() / 2)) {
                Files.deleteIfExists(old);
            }
        }
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException removed) {
            return FileTime.fromMillis(0);
        }
    }
}
