package dev.paddock.executor.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests names whose bytes are no text. */
class PathBytesTest {
    @TempDir
    Path directory;

    @Test
    void bytesSurviveFileSystem() throws Exception {
        for (String name : List.of("plain", "a b%", "\u00ff\u00fe", "\u00c3\u00a4", "l\nf", "%41", "x\u0080/y\u00ff")) {
            Path path = PathBytes.path(name).orElseThrow();
            assertThat(PathBytes.of(path)).isEqualTo(name);
            Path file = directory.resolve(path);
            Files.createDirectories(file);

            assertThat(PathBytes.of(directory.relativize(file))).isEqualTo(name);
            assertThat(PathBytes.of(file)).isEqualTo(PathBytes.of(directory) + "/" + name);
        }
        assertThat(listed())
                .contains("\u00ff\u00fe", "\u00c3\u00a4", "l\nf", "%41")
                .hasSize(7);
        assertThat(PathBytes.path("a\0b")).isEmpty();
    }

    private List<String> listed() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
            children.forEach(child -> names.add(PathBytes.of(child.getFileName())));
        }
        return names;
    }

    @Test
    void messagesHaveNoControlCharacters() {
        assertThat(PathBytes.escaped("a\n\u001b[31m\u00ff\u00c3\u00a4\u00e2\u0080\u00ae\u00c3"))
                .isEqualTo("a\\x0a\\x1b[31m\\xff\u00e4\\xe2\\x80\\xae\\xc3");
    }

    @Test
    void differentNamesAreShownDifferently() {
        assertThat(PathBytes.escaped("a\nb")).isEqualTo("a\\x0ab");
        assertThat(PathBytes.escaped("a\\x0ab")).isEqualTo("a\\x5cx0ab");
        assertThat(PathBytes.escaped("a\\b\\")).isEqualTo("a\\b\\");
    }
}
