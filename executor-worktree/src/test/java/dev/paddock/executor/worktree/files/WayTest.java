package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a way leads where the kernel goes. */
class WayTest {
    @TempDir
    Path directory;

    @BeforeEach
    void createLinks() throws Exception {
        directory = directory.toRealPath();
        Files.createDirectories(directory.resolve("a/b/c"));
        Files.createSymbolicLink(directory.resolve("first"), Path.of("second"));
        Files.createSymbolicLink(directory.resolve("second"), Path.of("a/./b"));
        Files.createSymbolicLink(directory.resolve("absolute"), directory.resolve("a/b/c"));
        Files.createSymbolicLink(directory.resolve("none"), Path.of("a/../absent"));
        Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
    }

    @ParameterizedTest
    @CsvSource({
        "a/b, a/b, ''",
        "a/b/../b/./c, a/b/c, ''",
        "first, a/b, first second",
        "first/c, a/b/c, first second",
        "first/.., a, first second",
        "first/../../second/c, a/b/c, first second second",
        "absolute/.., a/b, absolute",
        "none/x, absent/x, none",
        "absent/../first, a/b, first second",
    })
    void linksAndEndAreKernels(String path, String end, String links) throws Exception {
        Way way = Way.to(directory.resolve(path));

        assertThat(way.end()).isEqualTo(directory.resolve(end));
        assertThat(way.links())
                .map(link -> directory.relativize(link).toString())
                .containsExactly(words(links));
        assertThat(way.parts()).hasSize(way.links().size() + 1).endsWith(way.end());
        if (Files.exists(directory.resolve(path))) {
            assertThat(way.end()).isEqualTo(directory.resolve(path).toRealPath());
        }
    }

    private static String[] words(String text) {
        return text.isEmpty() ? new String[0] : text.split(" ", -1);
    }

    @Test
    void loopEnds() {
        assertThat(Way.to(directory.resolve("loop")).links()).hasSize(41);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/..", "/../.."})
    void rootHasNothingAbove(String path) {
        assertThat(Way.to(Path.of(path)).end()).isEqualTo(Path.of("/"));
    }

    @Test
    void namesKnownToBeDirectAreNotExamined() {
        Path link = directory.resolve("first");

        assertThat(Way.to(link.resolve("c"), link.getNameCount()).links()).isEmpty();
        assertThat(Way.to(link, link.getNameCount()).end()).isEqualTo(link);
    }
}
