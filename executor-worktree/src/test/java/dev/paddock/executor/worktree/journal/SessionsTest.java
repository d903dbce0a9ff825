package dev.paddock.executor.worktree.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the table of sessions while the journal that it belongs to is removed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionsTest {
    /** Enough to meet a removal at each of its steps. */
    private static final int ROUNDS = 500;

    @TempDir
    private Path temporary;

    private Path journal;

    @BeforeEach
    void findJournal() {
        journal = temporary.resolve("journal");
    }

    /**
     * A process that was killed while it removed a journal has left the mark, and the files that it had not deleted.
     */
    @Test
    void nextSessionContinuesRemovalThatWasKilled() throws Exception {
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
    void sessionOpensNewFileWhileAnotherOfThisJvmHasRemovedOneOpen() throws Exception {
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

    /** The last session of a journal removes it, at any time of the opening of the next one. */
    @Test
    void sessionsOpenWhileOthersRemoveJournal() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        FutureTask<Void> others = new FutureTask<>(() -> {
            while (!ended.get()) {
                openAndRemove(journal);
            }
            return null;
        });
        Thread.ofPlatform().daemon().start(others);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                openAndRemove(journal);
            }
        } finally {
            ended.set(true);
        }
        others.get();
        assertThat(journal).doesNotExist();
    }

    /** Uses a journal, and removes it if no other session uses it. */
    static void openAndRemove(Path journal) throws IOException {
        try (Sessions session = Sessions.open(journal)) {
            session.lock();
            try {
                if (session.isLast()) {
                    session.remove();
                }
                session.leave();
            } finally {
                session.unlock();
            }
        }
    }

    @Test
    void ofTwoSessionsThatCloseAtOnceOneIsLast() throws Exception {
        try (Sessions first = Sessions.open(journal);
                Sessions second = Sessions.open(journal)) {
            first.lock();
            try {
                assertThat(first.isLast()).isFalse();
                first.leave();
            } finally {
                first.unlock();
            }
            requireUsable(second);
        }
    }

    @Test
    void fileInPlaceOfJournalIsReported() throws Exception {
        Files.createFile(journal);
        assertThatThrownBy(() -> Sessions.open(journal))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage(journal + ": it is no directory; remove it");
    }

    @Test
    void linkThatLeadsNowhereInPlaceOfJournalsIsReported() throws Exception {
        Files.createSymbolicLink(journal, temporary.resolve("absent"));
        assertThatThrownBy(() -> Sessions.open(journal.resolve("one"))).isInstanceOf(FileAlreadyExistsException.class);
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
