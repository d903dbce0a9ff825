package dev.paddock.executor.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.policy.Mount.Access;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the paths and the access of mounts, and which mounts are refused. */
class MountTest {
    @TempDir
    private Path temporary;

    private Path directory = Path.of("/");

    @BeforeEach
    void resolve() throws Exception {
        directory = temporary.toRealPath();
    }

    @Test
    void sourceIsResolvedOnce() throws Exception {
        Path target = Files.createDirectory(directory.resolve("target"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        Mount mount = new Mount(link, "/data", Access.READ_WRITE);
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("/etc"));
        assertThat(mount.source()).isEqualTo(target);
    }

    @Test
    void readOnlyByDefault() {
        assertThat(Mount.parse(directory + ":/data", directory))
                .isEqualTo(new Mount(directory, "/data", Access.READ_ONLY));
        assertThat(Mount.parse(directory + ":/data:ro", directory).access()).isEqualTo(Access.READ_ONLY);
        assertThat(Mount.parse(directory + ":/data:rw", directory).access()).isEqualTo(Access.READ_WRITE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "/a:", ":/b", "/a:/b:", "/a:/b:rx", "/a:/b:ro:rw", ":"})
    void mountOfAnotherFormIsRefused(String text) {
        assertThatThrownBy(() -> Mount.parse(text, directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", "./data", "/data/..", "/", "/a//b", "/a/./b"})
    void targetIsAbsoluteAndPlain(String target) {
        assertThatThrownBy(() -> new Mount(directory, target, Access.READ_ONLY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/etc",
                "/root",
                "/home",
                "/boot",
                "/sys",
                "/proc",
                "/dev",
                "/usr",
                "/bin",
                "/sbin",
                "/lib",
                "/var",
                "/run",
                "/opt",
                "/srv",
                "/etc/",
                "/usr/../etc",
                "/etc/."
            })
    void writableSystemRootIsRefused(String source) {
        assumeTrue(Files.exists(Path.of(source)));
        assertThatThrownBy(() -> new Mount(Path.of(source), "/data", Access.READ_WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("system directory");
        assertThat(new Mount(Path.of(source), "/data", Access.READ_ONLY).access())
                .isEqualTo(Access.READ_ONLY);
    }

    @Test
    void linkToSystemRootIsRefused() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("innocent"), Path.of("/etc"));
        assertThatThrownBy(() -> new Mount(link, "/data", Access.READ_WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/etc");
    }

    @Test
    void directoryBelowSystemRootIsAllowed() {
        assertThat(new Mount(directory, "/data", Access.READ_WRITE).source()).isEqualTo(directory);
    }

    @Test
    void relativeSourceIsResolvedAgainstBase() throws Exception {
        Path below = Files.createDirectory(directory.resolve("below"));
        assertThat(Mount.parse("below:/data", directory).source()).isEqualTo(below);
        assertThatThrownBy(() -> new Mount(Path.of("below"), "/data", Access.READ_ONLY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'below'");
    }

    @Test
    void missingSourceIsRefused() throws Exception {
        Path missing = directory.resolve("missing");
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), missing);
        for (Path source : new Path[] {missing, dangling}) {
            assertThatThrownBy(() -> new Mount(source, "/data", Access.READ_ONLY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not exist")
                    .hasMessageContaining(source.toString());
        }
    }
}
