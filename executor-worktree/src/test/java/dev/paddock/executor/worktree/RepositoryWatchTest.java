package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.worktree.files.Inotify;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the search for repositories while a command is moving directories. */
class RepositoryWatchTest {
    @TempDir
    Path directory;

    private Path root;

    @BeforeEach
    void createDirectories() throws Exception {
        directory = directory.toRealPath();
        root = Files.createDirectory(directory.resolve("root"));
    }

    /** A command that swaps a directory for a link during a walk makes the walk come through the link. */
    @Test
    void directoryThatWasReachedThroughLinkKeepsItsOwnName() throws Exception {
        Path inner = Files.createDirectories(root.resolve("real/inner"));
        try (RepositoryWatch watch = new RepositoryWatch(List.of(root), new OwnEntries(Set.of()), Inotify.open())) {
            Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("real"));
            watch.flush();
            watch.search(link.resolve("inner"));
            Files.delete(link);

            Files.createDirectory(inner.resolve(".git"));
            watch.flush();

            assertThat(watch.repositories()).containsExactly(inner);
        }
    }

    @Test
    void directoryThatWasMovedIsFoundUnderItsNewName() throws Exception {
        Files.createDirectories(root.resolve("one/inner"));
        try (RepositoryWatch watch = new RepositoryWatch(List.of(root), new OwnEntries(Set.of()), Inotify.open())) {
            Files.move(root.resolve("one"), root.resolve("other"));
            watch.flush();
            Files.createDirectory(root.resolve("other/inner/.git"));
            watch.flush();

            assertThat(watch.repositories()).containsExactly(root.resolve("other/inner"));
        }
    }

    /** The watch of a directory that has moved reports its entries under its former path, too. */
    @Test
    void entryRemovedFromDirectoryThatHasMovedIsNotForgottenInOneThatTookItsPlace() throws Exception {
        Path former = Files.createDirectory(root.resolve("former"));
        Path moved = root.resolve("moved");
        OwnEntries own = new OwnEntries(Set.of(".vscode"));
        try (RepositoryWatch watch = new RepositoryWatch(List.of(root), own, Inotify.open())) {
            own.begin(true);
            Files.move(former, moved);
            Files.createDirectories(former.resolve(".vscode"));
            Files.createDirectory(moved.resolve(".vscode"));
            Files.delete(moved.resolve(".vscode"));
            watch.flush();
            own.begin(true);

            assertThat(own.contains(former.resolve(".vscode"), "")).isTrue();
        }
    }

    @Test
    void entriesUnderProtectedNamesAreFoundWhateverTheirCharacters() throws Exception {
        Path plain = Files.createDirectory(root.resolve(".vscode"));
        Path accented = Files.createFile(root.resolve("größe"));
        Path other = Files.createFile(root.resolve("grüße"));
        OwnEntries own = new OwnEntries(Set.of(".vscode", "größe"));
        try (RepositoryWatch watch = new RepositoryWatch(List.of(root), own, Inotify.open())) {
            watch.own().begin(true);
            assertThat(own.contains(plain, "")).isTrue();
            assertThat(own.contains(accented, "")).isTrue();
            assertThat(own.contains(other, "")).isFalse();
        }
    }

    @Test
    void watchThatHasFailedOnceIsCompleteAgainAfterNextSearch() throws Exception {
        try (RepositoryWatch watch = new RepositoryWatch(List.of(root), new OwnEntries(Set.of()), Inotify.open())) {
            watch.watched().add(root + "/" + "n".repeat(256)); // the kernel takes no longer name than 255 bytes
            Path later = Files.createDirectory(root.resolve("later"));
            watch.flush();
            watch.poll(); // whatever was queued before

            Files.createDirectory(later.resolve(".git"));
            watch.poll();

            assertThat(watch.repositories()).containsExactly(later);
        }
    }
}
