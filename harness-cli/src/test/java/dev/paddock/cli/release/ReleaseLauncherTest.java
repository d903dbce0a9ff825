package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher of a release, with a {@code java} that records its arguments. */
class ReleaseLauncherTest {
    @TempDir
    private Path directory;

    private Path home;

    @BeforeEach
    void makeRelease() throws IOException {
        home = directory.toRealPath().resolve("a release");
        for (String made : List.of("bin", "libexec", "native", "cache", "runtime/bin")) {
            Files.createDirectories(home.resolve(made));
        }
        Path build = Path.of("..", "build");
        Files.copy(build.resolve("launcher.sh"), home.resolve("libexec/launcher.sh"));
        Path launcher = home.resolve("bin/paddock");
        Files.copy(build.resolve("release/paddock"), launcher, StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(
                launcher, Files.readString(launcher).replace("@MAJOR@", "25").replace("@MODULE@", "a.module"));
        Files.writeString(home.resolve("cache/paddock.aot"), "classes");
        java("printf '%s\\n' \"$LC_ALL\" \"${PADDOCK_CALLER_LC_ALL-unset}\" \"$@\"");
    }

    private void java(String body) throws IOException {
        Path java = home.resolve("runtime/bin/java");
        Files.writeString(java, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Cli.Result launch(String script) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                "sh", "-c", script, home.resolve("bin/paddock").toString());
        builder.directory(directory.toFile()).environment().put("LC_ALL", "POSIX");
        return Cli.finish(builder.start());
    }

    private List<String> arguments(String script) throws Exception {
        Cli.Result result = launch(script);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.exitCode()).isZero();
        return result.stdout().lines().toList();
    }

    @Test
    void startsReleasesOwnJavaWithCallersLocaleRemembered() throws Exception {
        assertThat(arguments("\"$0\" exec -- 'two words'"))
                .startsWith("C.UTF-8", "POSIX", "-XX:AOTCache=" + home + "/cache/paddock.aot")
                .contains("-Djffi.boot.library.path=" + home + "/native")
                .contains("--enable-native-access=a.module")
                .endsWith("-m", "a.module/dev.paddock.cli.Main", "exec", "--", "two words")
                .doesNotContain("-cp");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ln -s "$0" link; ./link                                | through a link
                    mkdir d; ln -s "$0" d/one; ln -s d/one two; exec ./two | through links to links
                    ln -s 'a release/bin/paddock' p; ./p                   | through a relative link
                    ln -s "$0" link; PATH=.:$PATH; link                    | by a search in PATH
                    cd 'a release/bin'; sh paddock                         | by the name alone
                    mv 'a release' moved; moved/bin/paddock                | from another place
                    """)
    void findsItsDirectory(String script, String way) throws Exception {
        List<String> arguments = arguments(script);
        Path place = way.equals("from another place") ? home.resolveSibling("moved") : home;
        assertThat(arguments).as(way).contains("-Djffi.boot.library.path=" + place + "/native");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec --image busybox", "mcp", "mcp --network open", "mcp --image busybox"})
    void containersAndServerHaveCacheOfTheirOwnAndMissingOneIsDoneWithout(String words) throws Exception {
        assertThat(arguments("\"$0\" " + words)).noneMatch(word -> word.startsWith("-XX:AOTCache"));
        Files.writeString(home.resolve("cache/paddock-all.aot"), "classes");
        assertThat(arguments("\"$0\" " + words)).contains("-XX:AOTCache=" + home + "/cache/paddock-all.aot");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"exec true", "touch paddock.yaml; \"$0\" exec true", "mcpx", "exec -- tool --image busybox"})
    void otherStartsHaveSmallCache(String words) throws Exception {
        String script = words.contains("$0") ? words : "\"$0\" " + words;
        assertThat(arguments(script)).contains("-XX:AOTCache=" + home + "/cache/paddock.aot");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    mkdir gone; cd gone; rmdir ../gone; "$0"           | the current directory '[^']*' has been deleted, .*
                    ulimit -n 64; "$0"                                 | the limit on open files is 64, and paddock needs 256; .*
                    mkdir a:b; mv 'a release' a:b/; a:b/*/bin/paddock  | the directory '.*a:b/a release' has a colon in its name, .*
                    """)
    void refusesInOneLineWhereJvmCannotStart(String script, String message) throws Exception {
        Cli.Result result = launch(script);
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(result.stdout()).isEmpty();
        // Some shells complain of a deleted directory by themselves.
        assertThat(result.stderr().lines().filter(line -> !line.contains("getcwd")))
                .singleElement()
                .asString()
                .matches("paddock: " + message);
    }

    @Test
    void closedDescriptorIsNotLeftForFileOfJvm() throws Exception {
        java("readlink /proc/$$/fd/0 /proc/$$/fd/2 >'" + directory + "/seen'");
        launch("ln -s \"$0\" link; ./link <&- >&- 2>&-");
        assertThat(directory.resolve("seen")).hasContent("/dev/null\n/dev/null\n");
    }
}
