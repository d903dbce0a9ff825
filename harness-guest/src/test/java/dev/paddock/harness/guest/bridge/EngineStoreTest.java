package dev.paddock.harness.guest.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.guest.GuestOptions.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineStoreTest {
    @TempDir
    Path directory;

    private EngineStore open(Engine engine) throws IOException {
        return EngineStore.open(engine, Optional.of(directory), directory);
    }

    @Test
    void storeIsMadeOnceForEachEngineAndNothingUnfinishedIsLeft() throws Exception {
        EngineStore first = open(Engine.QUICKJS);
        FileTime made = Files.getLastModifiedTime(first.file(EngineStore.LIBRARY));
        EngineStore again = open(Engine.QUICKJS);
        EngineStore node = open(Engine.NODE);
        assertThat(again).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(again.file(EngineStore.LIBRARY))).isEqualTo(made);
        assertThat(node.directory()).isNotEqualTo(first.directory());
        assertThat(first.classPath())
                .hasSize(4)
                .allMatch(path -> path.toString().endsWith(".jar"));
        assertThat(node.classPath()).isEmpty();
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder(
                        first.directory().getFileName().toString(),
                        node.directory().getFileName().toString());
    }

    @Test
    void newStoreRetiresThoseThatNoSessionHasOpenedForMonth() throws Exception {
        Path unused = Files.createDirectory(directory.resolve("0123456789abcdef01234567"));
        Path recent = Files.createDirectory(directory.resolve("1123456789abcdef01234567"));
        Path other = Files.createDirectory(directory.resolve("transpiled"));
        Files.writeString(unused.resolve("classes.aot"), "old");
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(31)));
        Files.setLastModifiedTime(unused, longAgo);
        Files.setLastModifiedTime(other, longAgo);
        open(Engine.NODE);
        assertThat(unused).doesNotExist();
        assertThat(recent).exists();
        assertThat(other).exists();
    }

    @Test
    void withoutCacheFilesAreSessionsOwn() throws Exception {
        EngineStore store = EngineStore.open(Engine.NODE, Optional.empty(), directory);
        assertThat(store.isShared()).isFalse();
        assertThat(store.directory()).isEqualTo(directory.resolve("engine"));
        assertThat(store.file(EngineStore.NODE)).exists();
    }

    @Test
    void privateDirectoryIsClosedToOthersAndIsNoLink() throws Exception {
        Path made = GuestCache.makePrivate(directory.toRealPath().resolve("a/b"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
        GuestCache.makePrivate(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        Path link = Files.createSymbolicLink(directory.resolve("link"), made);
        assertThatThrownBy(() -> GuestCache.makePrivate(link))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a link");
    }
}
