package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the kernel's lists of entries lead to the same files as the JDK's walk. */
class TreeSearchTest {
    private static final String ALL = "";

    @TempDir
    Path directory;

    private Path root;

    @BeforeEach
    void createRoot() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("root"));
    }

    static Stream<TreeSearch> searches() {
        return Stream.of(TreeSearch.create(), TreeSearch.portable());
    }

    @ParameterizedTest
    @MethodSource("searches")
    void everyEntryIsFoundOnceAndNoLinkIsFollowed(TreeSearch search) throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.createDirectory(other.resolve("inner"));
        Path deep = Files.createDirectories(root.resolve("a/b/c"));
        Path file = Files.createFile(deep.resolve("file"));
        Path link = Files.createSymbolicLink(deep.resolve("link"), other);
        Path umlauts = Files.createDirectory(root.resolve("ä"));
        Path umlaut = Files.createFile(umlauts.resolve("ö"));
        Path dots = Files.createDirectory(root.resolve("..."));
        Path dotted = Files.createFile(root.resolve("..a"));

        Seen seen = search(search, root, ALL);

        assertThat(seen.opened)
                .containsExactlyInAnyOrder(root, root.resolve("a"), root.resolve("a/b"), deep, umlauts, dots);
        assertThat(seen.files).containsExactlyInAnyOrder(file, link, umlaut, dotted);
        assertThat(seen.failed).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("searches")
    void directoryWithMoreEntriesThanOneReadHoldsIsFoundWhole(TreeSearch search) throws Exception {
        Set<Path> files = new TreeSet<>();
        for (int file = 0; file < 2_000; file++) {
            files.add(Files.createFile(root.resolve("a-rather-long-name-for-a-file-" + file)));
        }

        assertThat(new TreeSet<>(search(search, root, ALL).files)).isEqualTo(files);
    }

    @Test
    void filesWithOtherInitialsAreLeftOutAndDirectoriesAreNot() throws Exception {
        Path bare = Files.createDirectory(root.resolve("bare"));
        Path head = Files.createFile(bare.resolve("HEAD"));
        Files.createFile(root.resolve("file"));
        Path dot = Files.createFile(root.resolve(".git"));

        Seen seen = search(TreeSearch.create(), root, ".H");

        assertThat(seen.files).contains(head, dot);
        assertThat(seen.opened).containsExactlyInAnyOrder(root, bare);
        if (Kernel.isAvailable()) {
            assertThat(seen.files).hasSize(2);
        }
    }

    @Test
    void namesThatDoNotBeginInAsciiAreSelectedTogether() throws Exception {
        Path wanted = Files.createFile(root.resolve("öffentlich"));
        Path other = Files.createFile(root.resolve("file"));

        assertThat(search(TreeSearch.create(), root, "ö").files).contains(wanted);
        assertThat(search(TreeSearch.create(), root, ".f").files).contains(other);
        if (Kernel.isAvailable()) {
            assertThat(search(TreeSearch.create(), root, "ö").files).containsExactly(wanted);
        }
    }

    @ParameterizedTest
    @MethodSource("searches")
    void entryThatIsCreatedOnceItsDirectoryIsOpenIsFound(TreeSearch search) throws Exception {
        Path created = root.resolve("created");
        Seen seen = new Seen() {
            @Override
            public void opened(String opened) {
                super.opened(opened);
                if (opened.equals(PathBytes.of(root))) {
                    create(created);
                }
            }
        };
        search.run(root, ALL, seen);

        assertThat(seen.opened).containsExactly(root, created);
    }

    /** Behind the link may be the whole machine. */
    @Test
    void linkThatTakesDirectorysPlaceDuringSearchIsNotFollowed() throws Exception {
        assumeTrue(Kernel.isAvailable(), "the kernel's calls cannot be made here");
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.createFile(Files.createDirectory(outside.resolve("inner")).resolve("secret"));
        Path replaced = Files.createDirectory(root.resolve("replaced"));
        Files.createFile(replaced.resolve("file"));
        Files.createFile(Files.createDirectory(replaced.resolve("inner")).resolve("own"));
        Seen seen = new Seen() {
            @Override
            public void file(String holder, String name) {
                super.file(holder, name);
                if (name.equals("file")) {
                    exchange(replaced, outside);
                }
            }
        };

        TreeSearch.create().run(root, ALL, seen);

        assertThat(replaced).isSymbolicLink();
        assertThat(seen.files).containsExactly(replaced.resolve("file"));
        assertThat(seen.failed).isEmpty();
        Seen still = search(TreeSearch.create(), root, ALL);
        assertThat(still.files).as("the control").containsExactly(replaced);
    }

    private void exchange(Path replaced, Path outside) {
        try {
            Files.move(replaced, directory.resolve("aside"));
            Files.createSymbolicLink(replaced, outside);
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    /** Root may list a closed directory. */
    @ParameterizedTest
    @MethodSource("searches")
    void directoryThatCannotBeListedIsReported(TreeSearch search) throws Exception {
        Path closed = Files.createDirectory(root.resolve("closed"), PosixFilePermissions.asFileAttribute(Set.of()));

        Seen seen = search(search, root, ALL);

        assertThat(Files.isReadable(closed) ? seen.opened : seen.failed).contains(closed);
    }

    @ParameterizedTest
    @MethodSource("searches")
    void rootThatIsNoDirectoryIsFoundAsFile(TreeSearch search) throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), root);

        Seen seen = search(search, link, ALL);

        assertThat(seen.files).containsExactly(link);
        assertThat(seen.opened).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("searches")
    void rootThatDoesNotExistIsLeftOut(TreeSearch search) throws Exception {
        Seen seen = search(search, root.resolve("missing"), ALL);

        assertThat(seen.opened).isEmpty();
        assertThat(seen.files).isEmpty();
        assertThat(seen.failed).isEmpty();
    }

    private static void create(Path path) {
        try {
            Files.createDirectory(path);
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    private static Seen search(TreeSearch search, Path root, String initials) throws IOException {
        Seen seen = new Seen();
        search.run(root, initials, seen);
        return seen;
    }

    private static class Seen implements TreeSearch.Visitor {
        final List<Path> opened = new ArrayList<>();
        final List<Path> files = new ArrayList<>();
        final List<Path> failed = new ArrayList<>();

        @Override
        public void opened(String directory) {
            opened.add(PathBytes.path(directory).orElseThrow());
        }

        @Override
        public void file(String directory, String name) {
            files.add(PathBytes.path(TreeSearch.child(directory, name)).orElseThrow());
        }

        @Override
        public void failed(Path entry, IOException fault) {
            failed.add(entry);
        }
    }
}
