package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Something around the project is missing or closed: one line says which, and what helps. Nothing is closed to root,
 * so that the ordinary user's run has those tests.
 */
@EnabledOnOs(OS.LINUX)
class BadSurroundingsTest {
    private static final int REFUSED = 125;

    @TempDir
    private Path root;

    private Path home = Path.of("home");
    private Paddock paddock = Paddock.in(home, home);

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        home = Files.createDirectory(real.resolve("home"));
        paddock = Paddock.in(Files.createDirectory(real.resolve("project")), home);
    }

    @AfterEach
    void open() throws Exception {
        paddock.host("chmod -R u+rwX " + home);
    }

    private static void close(Path directory, String permissions) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
        assumeThat(Files.isWritable(directory)).as("nothing is closed to root").isFalse();
    }

    private static void assertOneLine(Paddock.Result result, String... parts) {
        assertThat(result.stderr().lines().filter(line -> line.startsWith("paddock: ")))
                .as("%s", result)
                .singleElement()
                .asString()
                .contains(parts);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void programThatMachineLacks(String sandbox) {
        Paddock.Result result = paddock.script(sandbox, "no-such-tool build");
        assertThat(result.exitCode()).isEqualTo(127);
        assertOneLine(result, "no-such-tool is not on this machine's PATH either: install it");
    }

    @Test
    void programThatImageAndMachineLack() throws Exception {
        assumeThat(OrdinaryUser.isAgain()).as("has no engine").isFalse();
        Paddock.Result result = paddock.script("docker", "no-such-tool build", Engine.withPrograms());
        assertThat(result.exitCode()).isEqualTo(127);
        assertOneLine(result, "no-such-tool is neither in the container's image nor on this machine");
    }

    @Test
    void networkOfContainerThatIsOff() throws Exception {
        assumeThat(OrdinaryUser.isAgain()).as("has no engine").isFalse();
        Programs.require("curl");
        Paddock.Result result = paddock.script("docker", "curl -sS https://registry.example", Engine.withPrograms());
        assertThat(result.exitCode()).isNotZero();
        assertOneLine(result, "the network is off for commands; --network open");
    }

    /** An empty cache in its place would stay empty. */
    @ParameterizedTest
    @CsvSource({
        "bwrap, .m2, .m2/repository",
        "bwrap, .m2/repository, .m2/repository",
        "landlock, .m2/repository/org, .m2/repository/org"
    })
    void cacheThatUserCannotRead(String sandbox, String closed, String named) throws Exception {
        Files.createDirectories(home.resolve(".m2/repository/org"));
        close(home.resolve(closed), "---------");
        String[] options = {"--cache=maven", "--cache-from-home"};
        Paddock.Result result = paddock.script(sandbox, "echo ran", options);
        assertThat(result.exitCode()).isEqualTo(REFUSED);
        assertThat(result.stdout()).isEmpty();
        assertOneLine(result, "no permission for '" + home.resolve(named) + "'", "leave the cache out");

        open();
        assertThat(paddock.script(sandbox, "ls -d ${MAVEN_USER_HOME}/repository/org", options)
                        .exitCode())
                .as("as the line says")
                .isZero();
    }

    @Test
    void cacheThatCommandClosed() throws Exception {
        String cache = paddock.script("bwrap", "cd $npm_config_cache && pwd && chmod 0 .", "--cache=npm")
                .stdout()
                .strip();
        close(Path.of(cache), "---------");
        Paddock.Result result = paddock.script("bwrap", "echo ran", "--cache=npm");
        assertThat(result.exitCode()).isEqualTo(REFUSED);
        assertOneLine(result, "the cache '" + cache + "' cannot be made", "chmod u+rwx it, or remove it");
    }

    /** A read-only home costs the records of commands, not the commands. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void homeThatIsReadOnly(String sandbox) throws Exception {
        close(home, "r-xr-xr-x");
        Paddock.Result result = paddock.script(sandbox, "echo ran >$HOME/file && cat $HOME/file");
        assertThat(result.stdout()).as("%s", result).isEqualTo("ran\n");
        assertOneLine(result, "audit records could not be written", home.toString(), "directory writable");

        Paddock.Result cache = paddock.script(sandbox, "echo ran", "--cache=npm", "--no-audit");
        assertThat(cache.exitCode()).isEqualTo(REFUSED);
        assertOneLine(cache, "no permission for '" + home, "XDG_CACHE_HOME");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void networkThatIsOff(String sandbox) {
        Programs.require("curl");
        Paddock.Result result = paddock.script(sandbox, "curl -sS https://registry.example");
        assertThat(result.exitCode()).isNotZero();
        assertOneLine(result, "the network is off for commands; --network open");
    }
}
