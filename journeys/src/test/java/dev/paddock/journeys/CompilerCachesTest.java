package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What compilers have done before, which outlives the command. */
@EnabledOnOs(OS.LINUX)
class CompilerCachesTest {
    @TempDir
    private Path root;

    private Path home = Path.of("/");
    private Path project = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        home = Files.createDirectory(root.toRealPath().resolve("home"));
        project = Files.createDirectory(root.toRealPath().resolve("project"));
        Files.writeString(project.resolve("a.c"), "int a(void) { return 1; }\n");
    }

    private String compile(String sandbox, String cache, String script) {
        Programs.require(cache);
        Programs.require("gcc");
        Paddock.Result result = Paddock.in(project, home).script(sandbox, script, "--cache", cache);
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        return result.stdout();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void ccacheFindsWhatItHasCompiled(String sandbox) {
        String script = "ccache gcc -c a.c && ccache --print-stats";
        assertThat(compile(sandbox, "ccache", script)).contains("direct_cache_hit\t0\n");
        assertThat(compile(sandbox, "ccache", script)).contains("direct_cache_hit\t1\n");
    }

    /** It has a server, which listens on the sandbox's own localhost. */
    @Test
    void sccacheFindsWhatItHasCompiled() {
        String script = "sccache gcc -c a.c && sccache --show-stats && sccache --stop-server >&2";
        assertThat(compile("bwrap", "sccache", script)).containsPattern("Cache hits +0\n");
        assertThat(compile("bwrap", "sccache", script)).containsPattern("Cache hits +1\n");
    }
}
