package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which parts of a system a sandbox shows. */
class SystemViewTest {
    @TempDir
    private Path root;

    private void create(String... directories) throws IOException {
        for (String directory : directories) {
            Files.createDirectories(root.resolve(directory));
        }
    }

    @Test
    void directoriesThatProgramsLookUpInEtcAreShown() throws IOException {
        create("usr", "etc/alternatives", "etc/chromium.d", "etc/fonts", "etc/java-21-openjdk", "etc/ssl/certs");
        create("etc/php/8.2/cli/conf.d", "etc/php/8.2/fpm/pool.d", "etc/php/8.2/mods-available");
        create("var/lib/texmf/web2c", "var/lib/private", "var/log");
        assertThat(SystemView.below(root).directories())
                .containsExactly(
                        "/usr",
                        "/etc/alternatives",
                        "/etc/chromium.d",
                        "/etc/fonts",
                        "/etc/java-21-openjdk",
                        "/etc/php/8.2/cli",
                        "/etc/php/8.2/mods-available",
                        "/etc/ssl/certs",
                        "/var/lib/texmf");
    }

    @Test
    void nothingElseOfEtcAndRootIsShown() throws IOException {
        create("etc/ssl/private", "etc/ssh", "home", "root", "opt");
        Files.writeString(root.resolve("etc/shadow"), "");
        Files.writeString(root.resolve("etc/fonts"), "a file, no directory");
        assertThat(SystemView.below(root)).isEqualTo(new SystemView(Map.of(), List.of()));
    }

    @Test
    void linksAtTopStayLinks() throws IOException {
        create("usr/bin");
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        SystemView view = SystemView.below(root);
        assertThat(view.links()).isEqualTo(Map.of("/bin", "usr/bin"));
        assertThat(view.directories()).containsExactly("/usr");
    }
}
