package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.FileStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Finds files that commands have made set-user-id, and programs that they have made set-group-id. A file that had these
 * bits before the commands has an older change time.
 */
final class SetIdFiles {
    private static final int SET_USER_ID = 04000;
    private static final int SET_GROUP_ID = 02000;
    private static final int EXECUTABLE = 0111;

    private final Set<Path> found = new TreeSet<>();

    /** When the commands began, in milliseconds since 1970. */
    private long since = Long.MAX_VALUE;

    /**
     * Forgets the found files when commands begin.
     *
     * @param start when they began, in milliseconds since 1970 by the clock that dates changes
     */
    void begin(long start) {
        found.clear();
        since = start;
    }

    long since() {
        return since;
    }

    /** Returns whether the first command has begun, so that files are examined. */
    boolean isActive() {
        return since != Long.MAX_VALUE;
    }

    /** Examines a file that was created, or whose mode may have changed. */
    void examine(Path file) {
        if (!isActive()) {
            return;
        }
        try {
            FileStatus.of(file).ifPresent(status -> examine(file, status));
        } catch (IOException unreachable) {
            found.remove(file); // settlement opens the directory, and it is searched then
        }
    }

    /** Examines a file whose status was just read. */
    void examine(Path file, FileStatus status) {
        boolean privileged = (status.mode() & SET_USER_ID) != 0
                || ((status.mode() & SET_GROUP_ID) != 0 && (status.mode() & EXECUTABLE) != 0);
        long changed = TimeUnit.NANOSECONDS.toMillis(status.changed());
        boolean recent = changed + FileStatus.tickOf(changed) >= since;
        if (status.isFile() && privileged && recent) {
            found.add(file);
        }
    }

    /** Returns the found files, once. */
    Stream<WorktreeFinding> take() {
        List<Path> taken = List.copyOf(found);
        found.clear();
        return taken.stream().map(WorktreeFinding.SetId::new);
    }
}
