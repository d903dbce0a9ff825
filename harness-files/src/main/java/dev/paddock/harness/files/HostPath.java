package dev.paddock.harness.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The path of a file on the host, for a program that opens it itself, such as an editor.
 *
 * <p>A command can replace the file, or a directory on the way, by a link while that program opens it. That changes the
 * ctime of the entry's directory, which no command can set: comparing the ctimes of all directories on the way before
 * and after the call detects it.
 */
final class HostPath {
    private static final String VIEW = "unix";
    private static final String CTIME = "ctime";

    /** Longer than a tick of the kernel's clock: two changes in one tick have the same ctime. */
    private static final Duration TICK = Duration.ofMillis(25);

    private static final Duration OLD = Duration.ofMinutes(1);
    private static final int TRIES = 4;

    private final Path file;
    private final String shown;
    private final List<Path> directories = new ArrayList<>();

    /**
     * Creates a path.
     *
     * @param cradle the outermost root around the file, whose own path no command can change
     */
    HostPath(GrantedDirectory cradle, Location where) {
        file = where.host();
        shown = where.shown();
        Path directory = cradle.path();
        for (Path name : cradle.path().relativize(file)) {
            directories.add(directory);
            directory = directory.resolve(name);
        }
    }

    /** Returns whether the system has ctimes. */
    static boolean isSupported() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains(VIEW);
    }

    /**
     * Calls a program with the path, and returns its result.
     *
     * @param expected identifies the file that the path has to lead to
     * @throws FileException if the path led elsewhere during the call, or may have; the program's result is dropped
     */
    <T> T used(Object expected, Function<Path, T> program) throws IOException {
        List<Map<String, Object>> before = settled();
        requireFile(expected);
        T result = program.apply(file);
        if (!before.equals(stamps())) {
            throw changed();
        }
        requireFile(expected);
        return result;
    }

    /** Returns the directories' ctimes, once they are so old that each later change yields different ones. */
    private List<Map<String, Object>> settled() throws IOException {
        List<Map<String, Object>> stamps = stamps();
        for (int i = 0; i < TRIES; i++) {
            if (stamps.stream().allMatch(HostPath::isOld)) {
                return stamps;
            }
            awaitTick();
            List<Map<String, Object>> later = stamps();
            if (later.equals(stamps)) {
                return later;
            }
            stamps = later;
        }
        throw changed();
    }

    private static boolean isOld(Map<String, Object> stamp) {
        FileTime changed = (FileTime) Objects.requireNonNull(stamp.get(CTIME));
        return changed.toInstant().isBefore(Instant.now().minus(OLD));
    }

    private List<Map<String, Object>> stamps() throws IOException {
        List<Map<String, Object>> stamps = new ArrayList<>();
        for (Path directory : directories) {
            Map<String, Object> stamp = attributes(directory, "fileKey,isDirectory," + CTIME);
            if (!Boolean.TRUE.equals(stamp.get("isDirectory"))) {
                throw changed();
            }
            stamps.add(stamp);
        }
        return stamps;
    }

    private void requireFile(Object expected) throws IOException {
        Map<String, Object> found = attributes(file, "fileKey,isRegularFile");
        if (!Boolean.TRUE.equals(found.get("isRegularFile")) || !expected.equals(found.get("fileKey"))) {
            throw changed();
        }
    }

    private static Map<String, Object> attributes(Path path, String names) throws IOException {
        return Files.readAttributes(path, VIEW + ":" + names, LinkOption.NOFOLLOW_LINKS);
    }

    private void awaitTick() throws InterruptedIOException {
        try {
            Thread.sleep(TICK);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + shown + " was examined");
        }
    }

    private FileException changed() {
        return new FileException(Reason.CHANGED, shown, shown + " changed during the call; try again");
    }
}
