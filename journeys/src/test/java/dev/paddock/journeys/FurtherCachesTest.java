package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Caches that outlive the command, as their programs find them. */
@EnabledOnOs(OS.LINUX)
class FurtherCachesTest {
    @TempDir
    private Path root;

    private Path home = Path.of("/");
    private Path project = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        home = Files.createDirectory(root.toRealPath().resolve("home"));
        project = Files.createDirectory(root.toRealPath().resolve("project"));
    }

    private String inSandbox(String cache, String script) {
        Paddock.Result result = Paddock.in(project, home).script("bwrap", script, "--cache", cache);
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        return result.stdout();
    }

    @Test
    void secondStartFindsWhatFirstHasCompiled() throws Exception {
        Programs.require("ccache");
        Programs.require("gcc");
        Files.writeString(project.resolve("a.c"), "int a(void) { return 1; }\n");
        assertThat(inSandbox("ccache", "ccache gcc -c a.c && ccache --print-stats"))
                .contains("direct_cache_hit\t0\n");
        assertThat(inSandbox("ccache", "ccache gcc -c a.c && ccache --print-stats"))
                .contains("direct_cache_hit\t1\n");
    }

    @Test
    void composerFindsItsCache() throws Exception {
        Programs.require("composer");
        Files.writeString(project.resolve("composer.json"), "{}\n");
        assertThat(inSandbox("composer", "composer config cache-dir; touch \"$(composer config cache-dir)/kept\""))
                .contains("/paddock/caches/");
        assertThat(inSandbox("composer", "cd \"$(composer config cache-dir)\" && ls kept"))
                .isEqualTo("kept\n");
    }
}
