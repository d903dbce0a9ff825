package dev.paddock.executor.landlock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which parts of a system commands can read. */
class SystemPathsTest {
    @TempDir
    private Path root;

    @BeforeEach
    void resolveRoot() throws IOException {
        root = root.toRealPath();
    }

    private void create(String... directories) throws IOException {
        for (String directory : directories) {
            Files.createDirectories(root.resolve(directory));
        }
    }

    @Test
    void directoriesThatProgramsLookUpInEtcAreReadable() throws IOException {
        create("etc/chromium.d", "etc/fonts", "etc/java-21-openjdk", "etc/maven");
        assertThat(SystemPaths.below(root).readable())
                .containsExactly("/etc/chromium.d", "/etc/fonts", "/etc/java-21-openjdk", "/etc/maven");
    }

    @Test
    void nothingElseOfEtcIsReadable() throws IOException {
        create("etc/ssl/private", "etc/ssh", "home", "root");
        Files.writeString(root.resolve("etc/shadow"), "");
        assertThat(SystemPaths.below(root).readable()).isEmpty();
    }

    @Test
    void linksIntoOtherProgramsAreLeftOut() throws IOException {
        create("usr/bin", "lib");
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        assertThat(SystemPaths.below(root).programs()).containsExactly("/usr", "/lib");
    }
}
