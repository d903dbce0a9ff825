package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.worktree.files.Inotify.Event;
import dev.paddock.executor.worktree.files.Inotify.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class QueuedChangesTest {
    @TempDir
    Path directory;

    private final Inotify events = Inotify.open().orElseThrow();

    @AfterEach
    void close() {
        events.close();
    }

    private List<Event> read(QueuedChanges changes) throws Exception {
        events.read(changes);
        List<Event> all = new ArrayList<>();
        changes.forEach(all::add);
        return all;
    }

    @Test
    void directoryThatIsRenamedAllTimeIsTwoChanges() throws Exception {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = directory.resolve("other");
        int watch = events.watch(directory.toString());
        for (int round = 0; round < 1_000; round++) {
            Files.move(one, other);
            Files.move(other, one);
        }

        QueuedChanges changes = new QueuedChanges();

        assertThat(read(changes))
                .containsExactlyInAnyOrder(
                        new Event(watch, Kind.REMOVED, "one"), new Event(watch, Kind.REMOVED, "other"));
        assertThat(changes.isLost()).isFalse();
    }

    @Test
    void creationIsNotHiddenByChangesOfMode() throws Exception {
        int watch = events.watch(directory.toString());
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        assertThat(file.toFile().setExecutable(false)).isTrue();

        assertThat(read(new QueuedChanges())).containsExactly(new Event(watch, Kind.CREATED, "file"));
    }

    @Test
    void directoriesThatAreGoneAndLostEventsAreNamed() throws Exception {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        int watch = events.watch(gone.toString());
        Files.delete(gone);
        QueuedChanges changes = new QueuedChanges();

        assertThat(read(changes)).isEmpty();
        assertThat(changes.unwatched()).containsExactly(watch);

        changes.accept(new Event(-1, Kind.OVERFLOW, ""));
        assertThat(changes.isLost()).isTrue();
    }
}
