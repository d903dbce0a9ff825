package dev.paddock.executor.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the mapping between the host path and the command-side path of a directory. */
class PathsTest {
    private final PathMapping mapping = new PathMapping(Path.of("/home/me/tree"), "/work");

    @ParameterizedTest
    @CsvSource({
        "/work, /home/me/tree",
        "/work/, /home/me/tree",
        "/work/a/b, /home/me/tree/a/b",
        "/work//a/./b/../c, /home/me/tree/a/c",
        "/other/../work/a, /home/me/tree/a"
    })
    void toHost(String command, String host) {
        assertThat(mapping.toHost(command)).hasValue(Path.of(host));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/workshop", "/workshop/a", "/", "/wor", "/work/../etc", "/work/a/../../etc", "work/a", "", "."})
    void notInDirectory(String command) {
        assertThat(mapping.toHost(command)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"/home/me/tree, /work", "/home/me/tree/a/b, /work/a/b", "/home/me/other/../tree/a, /work/a"})
    void toCommand(String host, String command) {
        assertThat(mapping.toCommand(Path.of(host))).hasValue(command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/home/me/treehouse", "/home/me", "/home/me/tree/../x", "/"})
    void notInHostsDirectory(String host) {
        assertThat(mapping.toCommand(Path.of(host))).isEmpty();
    }

    @Test
    void rootCanBeCommandsDirectory() {
        PathMapping root = new PathMapping(Path.of("/tree"), "/");
        assertThat(root.toHost("/a/b")).hasValue(Path.of("/tree/a/b"));
        assertThat(root.toHost("/")).hasValue(Path.of("/tree"));
        assertThat(root.toCommand(Path.of("/tree/a"))).hasValue("/a");
        assertThat(root.toCommand(Path.of("/tree"))).hasValue("/");
    }

    @Test
    void sameOnBothSides() {
        PathMapping same = PathMapping.same(Path.of("/home/me/../me/tree"));
        assertThat(same.hostPath()).isEqualTo(Path.of("/home/me/tree"));
        assertThat(same.commandPath()).isEqualTo("/home/me/tree");
        assertThat(same.isSame()).isTrue();
        assertThat(mapping.isSame()).isFalse();
    }

    @Test
    void trailingSlashIsDropped() {
        assertThat(new PathMapping(Path.of("/tree"), "/work/").commandPath()).isEqualTo("/work");
    }

    @ParameterizedTest
    @ValueSource(strings = {"work", "", "/work/..", "/work/./a", "//work", "/work//a", "/a\0b"})
    void commandPathIsAbsoluteAndPlain(String path) {
        assertThatThrownBy(() -> new PathMapping(Path.of("/tree"), path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(path.replace("\0", "\\0"));
    }

    @Test
    void hostPathIsAbsolute() {
        assertThatThrownBy(() -> new PathMapping(Path.of("tree"), "/work"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'tree'");
    }
}
