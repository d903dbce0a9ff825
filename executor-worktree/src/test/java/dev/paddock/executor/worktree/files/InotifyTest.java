package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.worktree.files.Inotify.Event;
import dev.paddock.executor.worktree.files.Inotify.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the kernel's events are there as soon as the change is made. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class InotifyTest {
    @TempDir
    Path directory;

    private final Inotify events = Inotify.open().orElseThrow();

    @AfterEach
    void close() {
        events.close();
    }

    @Test
    void eachChangeIsReadAtOnce() throws Exception {
        int watch = events.watch(directory.toString());
        assertThat(read()).isEmpty();

        for (int round = 0; round < 1_000; round++) {
            Path file = Files.createFile(directory.resolve("a" + round));
            assertThat(read()).containsExactly(new Event(watch, Kind.CREATED, "a" + round));
            Files.move(file, directory.resolve("b"));
            assertThat(read())
                    .containsExactly(new Event(watch, Kind.REMOVED, "a" + round), new Event(watch, Kind.CREATED, "b"));
            Files.delete(directory.resolve("b"));
            assertThat(read()).containsExactly(new Event(watch, Kind.REMOVED, "b"));
        }
    }

    /** A live process keeps nobody from reading what was there before. */
    @Test
    void readingEndsAlthoughEachEventIsFollowedByOthers() throws Exception {
        events.watch(directory.toString());
        Files.createFile(directory.resolve("first"));
        List<Event> read = new ArrayList<>();

        events.read(event -> {
            read.add(event);
            another(read.size());
        });

        assertThat(read).hasSizeGreaterThan(1_000);
    }

    private void another(int number) {
        try {
            Files.delete(Files.createFile(directory.resolve("another-" + number)));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Test
    void moreEventsThanOneReadHoldsAreAllPassedOn() throws Exception {
        events.watch(directory.toString());
        for (int file = 0; file < 5_000; file++) {
            Files.createFile(directory.resolve("a-rather-long-name-for-a-file-" + file));
        }

        assertThat(read())
                .hasSize(5_000)
                .last()
                .extracting(Event::name)
                .isEqualTo("a-rather-long-name-for-a-file-4999");
    }

    @Test
    void queueThatOverflowsSaysSo() throws Exception {
        events.watch(directory.toString());
        int longest = longestQueue();
        for (int file = 0; file <= longest / 2; file++) {
            Files.delete(Files.createFile(directory.resolve("f" + file)));
        }

        assertThat(read()).last().isEqualTo(new Event(-1, Kind.OVERFLOW, ""));
    }

    @Test
    void directoryThatIsGoneEndsItsWatch() throws Exception {
        Path inner = Files.createDirectory(directory.resolve("inner"));
        int watch = events.watch(inner.toString());
        assertThat(events.watch(inner.toString())).as("a second watch of it").isEqualTo(watch);

        Files.delete(inner);

        assertThat(read()).last().isEqualTo(new Event(watch, Kind.UNWATCHED, ""));
        assertThatThrownBy(() -> events.watch(inner.toString())).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void linksAreNotFollowed() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);

        assertThatThrownBy(() -> events.watch(link.toString())).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void closedQueueTouchesNoOtherFile() throws Exception {
        events.close();
        try (InputStream other = Files.newInputStream(Path.of("/dev/zero"))) {
            events.close();
            assertThat(other.read())
                    .as("a file that may have the same descriptor")
                    .isZero();
        }
        assertThatThrownBy(this::read).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> events.watch(directory.toString())).isInstanceOf(IOException.class);
    }

    private static int longestQueue() throws IOException {
        // The kernel gives such a file's content to one read alone; readString begins with a single byte.
        try (InputStream limit = Files.newInputStream(Path.of("/proc/sys/fs/inotify/max_queued_events"))) {
            byte[] content = new byte[64];
            int length = limit.read(content);
            return Integer.parseInt(new String(content, 0, length, StandardCharsets.US_ASCII).strip());
        }
    }

    private List<Event> read() throws IOException {
        List<Event> read = new ArrayList<>();
        events.read(read::add);
        return read;
    }
}
