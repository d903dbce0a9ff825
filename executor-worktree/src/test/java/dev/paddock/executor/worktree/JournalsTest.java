package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.worktree.journal.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is done with journals that nobody needs. */
class JournalsTest {
    @TempDir
    private Path temporary;

    @Test
    void sweepLeavesFilesThatAreNoJournals() throws Exception {
        Path worktree = Files.createDirectory(temporary.resolve("worktree"));
        Path journals = Files.createDirectory(temporary.resolve("journals"));
        Path file = Files.createFile(journals.resolve(".DS_Store"));
        Path kept = Files.createDirectories(journals.resolve("directory/kept"));
        new Journals(journals, container -> false).sweep(Set.of(worktree));
        assertThat(file).exists();
        assertThat(kept).exists();
    }

    @Test
    void journalThatNamesNoDirectoryIsRemovedUnlessSessionUsesIt() throws Exception {
        Path worktree = Files.createDirectory(temporary.resolve("worktree"));
        Path journals = temporary.resolve("journals");
        Path left = journals.resolve("1-2-3");
        Path used = journals.resolve("4-5-6");
        Sessions.open(left).close();
        try (Sessions session = Sessions.open(used)) {
            new Journals(journals, container -> false).sweep(Set.of(worktree));
            assertThat(left).doesNotExist();
            assertThat(used).isNotEmptyDirectory();
            session.note("it is still open");
        }
        new Journals(journals, container -> false).sweep(Set.of(worktree));
        assertThat(journals).isEmptyDirectory();
    }
}
