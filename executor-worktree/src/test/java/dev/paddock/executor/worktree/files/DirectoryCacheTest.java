package dev.paddock.executor.worktree.files;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a directory's entries are read again whenever they may have changed. */
class DirectoryCacheTest {
    @TempDir
    Path directory;

    private final DirectoryCache cache = new DirectoryCache();

    @BeforeEach
    void fill() throws Exception {
        Files.createFile(directory.resolve("one"));
    }

    @Test
    void entriesAreRememberedAsLongAsTheyAreSame() throws Exception {
        CachedDirectory first = settled();
        assertThat(first.children()).containsExactly(directory.resolve("one"));

        Files.writeString(directory.resolve("one"), "another content");
        cache.refresh();
        assertThat(cache.at(directory)).isSameAs(first);

        Files.createFile(directory.resolve("two"));
        assertThat(cache.at(directory)).as("until the next refresh").isSameAs(first);
        cache.refresh();
        assertThat(cache.at(directory)).isNotSameAs(first);
        assertThat(cache.at(directory).children()).containsExactly(directory.resolve("one"), directory.resolve("two"));
    }

    @Test
    void fileInSamePlaceIsChange() throws Exception {
        Path other = Files.createTempFile(directory.getParent(), "other", "");
        CachedDirectory first = settled();

        Files.move(other, directory.resolve("one"), REPLACE_EXISTING);
        cache.refresh();

        assertThat(cache.at(directory)).isNotSameAs(first);
    }

    @Test
    void changesWithinTickOfClockAreNotMissed() throws Exception {
        for (int round = 0; round < 500; round++) {
            Path file = Files.createFile(directory.resolve("f" + round));
            cache.refresh();
            assertThat(cache.at(directory).children()).contains(file);
            assertThat(cache.at(directory).has("g" + round)).isFalse();
            Path renamed = Files.move(file, directory.resolve("g" + round));
            cache.refresh();
            assertThat(cache.at(directory).children()).contains(renamed).doesNotContain(file);
            assertThat(cache.at(directory).has("g" + round)).isTrue();
        }
    }

    @Test
    void amongPathsThoseWhoseFirstPartExists() throws Exception {
        List<String> paths = List.of("one", "two/deep", "ONE", "\u017f", "absent");
        Files.createFile(directory.resolve("two"));
        Files.createFile(directory.resolve("Absent"));
        cache.refresh();

        assertThat(cache.at(directory).among(paths)).containsExactly("one", "two/deep");
        assertThat(cache.at(directory.resolve("one")).among(paths)).isEmpty();
        assertThat(cache.at(directory.resolve("x".repeat(300))).among(paths)).isEqualTo(paths);
    }

    @Test
    void entriesReadWhileParentWasReplacedAreReadAgain() throws Exception {
        Path parent = Files.createDirectory(directory.resolve("parent"));
        Path inner = Files.createDirectory(parent.resolve("inner"));
        Path file = Files.createFile(inner.resolve("file"));
        Path away = directory.resolve("away");
        settled(inner);
        cache.forget();
        CachedDirectory examined = cache.at(inner);

        Files.move(parent, away); // changes no change time of the directory inside
        Files.createSymbolicLink(parent, Path.of("nowhere"));
        assertThat(examined.children()).isEmpty();
        assertThat(examined.has("file")).isFalse();
        Files.delete(parent);
        Files.move(away, parent);
        cache.refresh();

        assertThat(cache.at(inner).children()).containsExactly(file);
        assertThat(cache.at(inner).has("file")).isTrue();
    }

    @Test
    void nothingIsRememberedThatIsForgotten() throws Exception {
        CachedDirectory first = settled();

        cache.forget();

        assertThat(cache.at(directory)).isNotSameAs(first);
    }

    /** As are many in a network: whoever adds an entry there need not change the directory's time. */
    @Test
    void nothingIsRememberedOfFileSystemThatIsNotKnown() throws Exception {
        Path other = Path.of("/sys/kernel");
        assumeTrue(Files.isDirectory(other), "no sysfs");
        FileStatus.of(other).orElseThrow().awaitTick();
        CachedDirectory first = cache.at(other);
        assertThat(first.children()).isNotEmpty();

        cache.refresh();

        assertThat(cache.at(other)).isNotSameAs(first);
    }

    @Test
    void onlyDirectoryHasEntries() throws Exception {
        CachedDirectory file = cache.at(directory.resolve("one"));
        CachedDirectory absent = cache.at(directory.resolve("absent"));

        assertThat(file.status()).isPresent();
        assertThat(file.isDirectory()).isFalse();
        assertThat(file.children()).isEmpty();
        assertThat(file.has("any")).isFalse();
        assertThat(absent.status()).isEmpty();
        assertThat(absent.has("any")).isFalse();
    }

    @Test
    void directoryThatCannotBeReachedMayHaveAnyEntry() {
        CachedDirectory tooLong = cache.at(directory.resolve("x".repeat(300)));

        assertThat(tooLong.isReadable()).isFalse();
        assertThat(tooLong.has("any")).isTrue();
        assertThat(tooLong.children()).isEmpty();
        cache.refresh();
        assertThat(cache.at(directory.resolve("x".repeat(300)))).isNotSameAs(tooLong);
    }

    /** Returns the directory when its last change lies further back than a tick of the clock. */
    private CachedDirectory settled() {
        return settled(directory);
    }

    private CachedDirectory settled(Path path) {
        await("the change time is in the past").until(() -> {
            cache.refresh();
            CachedDirectory first = cache.at(path);
            cache.refresh();
            return cache.at(path) == first;
        });
        return cache.at(path);
    }
}
