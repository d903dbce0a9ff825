package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.file.Pinned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The clock that dates changes of files: on a network file system the server's, which may differ from this one. */
public final class FileClock {
    private FileClock() {}

    /**
     * Returns the present by the clock that dates changes in a directory. On a file system that is not this kernel's
     * own, creates a file there and removes it.
     *
     * @param directory the real path of a guarded directory, which no command can replace
     * @return milliseconds since 1970, not later than the change time of any later change; this machine's time if no
     *     file can be created
     */
    public static long now(Path directory) {
        return FileSystems.areOfThisKernel(directory) ? System.currentTimeMillis() : ofNewFile(directory);
    }

    static long ofNewFile(Path directory) {
        try (Pinned held = Pinned.directory(directory, directory)) {
            Path file = Files.createTempFile(held.path(), ".paddock-clock-", "");
            try {
                return FileStatus.of(file)
                        .map(status -> TimeUnit.NANOSECONDS.toMillis(status.changed()))
                        .orElseGet(System::currentTimeMillis);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException unwritable) {
            return System.currentTimeMillis();
        }
    }
}
