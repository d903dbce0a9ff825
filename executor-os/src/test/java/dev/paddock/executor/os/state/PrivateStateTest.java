package dev.paddock.executor.os.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateStateTest {

    @TempDir
    Path directory;

    private Path root = Path.of("/");
    private Path outside = Path.of("/");

    @BeforeEach
    void makeDirectories() throws IOException {
        root = Files.createDirectory(directory.toRealPath().resolve("run"));
        outside = Files.createDirectory(directory.toRealPath().resolve("kept"));
        Files.createFile(outside.resolve("file"));
    }

    private PrivateState create(OwnerId owner) throws IOException {
        return PrivateState.createIn(root, "test", owner.toString());
    }

    @Test
    void C12_whatDeadOwnerLeftIsSwept() throws Exception {
        OwnerId here = OwnerId.current();
        OwnerId ended = new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), 1);
        try (PrivateState live = create(here)) {
            Path dead = create(ended).directory();
            Files.createSymbolicLink(dead.resolve("link"), outside);
            Path unlabelled = Files.createDirectory(root.resolve("test-2"));
            Path anothers =
                    PrivateState.createIn(root, "other", ended.toString()).directory();
            assertThat(PrivateState.sweepIn(root, "test", SweepMode.DRY_RUN))
                    .containsExactly("would remove the directory " + dead);
            assertThat(dead).exists();
            assertThat(PrivateState.sweepIn(root, "test", SweepMode.REMOVE))
                    .containsExactly("removed the directory " + dead);
            assertThat(dead).doesNotExist();
            assertThat(List.of(live.directory(), unlabelled, anothers, outside.resolve("file")))
                    .allMatch(Files::exists);
        }
    }

    @Test
    void onlyOwnerEnters() throws IOException {
        try (PrivateState state = create(OwnerId.current())) {
            for (Path path : List.of(state.directory(), state.makeDirectory("home"), PrivateState.root())) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .isEqualTo("rwx------");
            }
        }
    }

    /** C12: a removal that a kill cuts off leaves the label, by which a sweep finds the rest. */
    @Test
    void ownersLabelIsRemovedLast() throws Exception {
        PrivateState state = create(OwnerId.current());
        for (int number = 0; number < 30; number++) {
            state.makeDirectory("directory-" + number);
        }
        List<String> removed = new ArrayList<>();
        try (WatchService events = state.directory().getFileSystem().newWatchService()) {
            state.directory().register(events, StandardWatchEventKinds.ENTRY_DELETE);
            state.close();
            WatchKey key;
            do {
                key = events.take();
                key.pollEvents().forEach(event -> removed.add(String.valueOf(event.context())));
            } while (key.reset());
            // The key of a directory that is gone is not queued again, though it may have more events.
            key.pollEvents().forEach(event -> removed.add(String.valueOf(event.context())));
        }
        assertThat(removed).hasSize(31).endsWith("owner");
    }

    @Test
    void removalFollowsNoLinkAndOpensClosedDirectories() throws Exception {
        PrivateState state = create(OwnerId.current());
        fill(state);
        state.close();
        assertThat(root).isEmptyDirectory();
        assertThat(outside.resolve("file")).exists();
    }

    private void fill(PrivateState state) throws IOException {
        Path home = state.makeDirectory("home");
        Files.createSymbolicLink(home.resolve("link"), outside);
        Path closed = Files.createDirectories(home.resolve("closed/deeper"));
        Files.createFile(closed.resolve("file"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    }

    @Test
    void firstDirectoryThatCanBeMadeIsTaken() throws IOException {
        Path file = outside.resolve("file");
        Path made = StateHome.firstUsable(List.of(file, directory.resolve("second")));
        assertThat(made).isEqualTo(directory.toRealPath().resolve("second/run"));
        assertThatThrownBy(() -> StateHome.firstUsable(List.of(file)))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(file.toString(), "XDG_STATE_HOME");
    }

    @Test
    void linkInItsPlaceIsNotFollowed() throws IOException {
        Path trap = Files.createDirectory(directory.resolve("trap"));
        Files.createSymbolicLink(trap.resolve("run"), outside);
        assertThatThrownBy(() -> StateHome.firstUsable(List.of(trap))).isInstanceOf(IOException.class);
        assertThat(Files.exists(trap.resolve("run"), LinkOption.NOFOLLOW_LINKS)).isTrue();
    }
}
