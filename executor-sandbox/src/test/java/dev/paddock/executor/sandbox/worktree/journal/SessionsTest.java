package dev.paddock.executor.sandbox.worktree.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the table of sessions while the journal that it belongs to is removed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionsTest {
    @TempDir
    private Path temporary;

    private Path journal;

    @BeforeEach
    void findJournal() {
        journal = temporary.resolve("journal");
    }

    /** A process that was killed while it removed a journal has left the mark, and the files that it had not deleted. */
    @Test
    void theNextSessionContinuesARemovalThatWasKilled() throws Exception {
        Sessions.open(journal).close();
        Files.createDirectory(journal.resolve("original-1"));
        Path copy = Files.createFile(journal.resolve("original-1/file"));
        try (RandomAccessFile table =
                new RandomAccessFile(journal.resolve("sessions").toFile(), "rw")) {
            table.writeLong(-1);
        }
        try (Sessions next = Sessions.open(journal)) {
            assertThat(copy).doesNotExist();
            requireUsable(next);
        }
    }

    @Test
    void aSessionBeginsAnewWhileAnotherOneOfThisJvmStillHasTheRemovedFile() throws Exception {
        try (Sessions last = Sessions.open(journal)) {
            last.lock();
            try {
                last.remove();
            } finally {
                last.unlock();
            }
            assertThat(journal).doesNotExist();
            try (Sessions next = Sessions.open(journal)) {
                requireUsable(next);
            }
        }
        assertThat(journal.resolve("sessions")).exists();
    }

    private static void requireUsable(Sessions sessions) throws IOException {
        sessions.lock();
        try {
            assertThat(sessions.isLast()).isTrue();
            assertThat(sessions.view()).isEqualTo(Sessions.View.NONE);
        } finally {
            sessions.unlock();
        }
    }
}
