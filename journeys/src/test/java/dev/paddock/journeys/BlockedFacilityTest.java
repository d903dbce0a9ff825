package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sandbox keeps from all commands: the user is told in one line which thing it was, and what to do. */
@EnabledOnOs(OS.LINUX)
class BlockedFacilityTest {
    @TempDir
    private Path root;

    private Paddock paddock = Paddock.in(Path.of(""), Path.of(""));

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        Path project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        paddock.host("git init -q && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            bwrap    | git config user.email a@example.org     | '.git/config' is protected, since git on the host obeys it
            bwrap    | echo exit >.git/hooks/pre-commit        | '.git/hooks' is protected
            bwrap    | git worktree add /srv/other             | '/srv/other/.git' is outside of what is granted
            landlock | git worktree add /srv/other             | '/srv/other/.git' is outside of what is granted
            bwrap    | git submodule add /srv/other sub        | '/srv/other' is outside of what is granted
            bwrap    | touch /usr/bin/tool                     | '/usr/bin/tool' is the system's
            landlock | touch /usr/bin/tool                     | '/usr/bin/tool' is the system's
            landlock | touch /tmp/paddock-test                 | temporary files go to $TMPDIR
            """)
    void aPathSaysWhyItIsRefused(String sandbox, String script, String hint) {
        assertOneLine(sandbox, script, hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            bwrap    | curl    | curl -sS http://localhost:9/                                  | localhost is the sandbox's own
            landlock | python3 | python3 -m http.server 0 --bind 127.0.0.1                     | denies sockets
            landlock | node    | node -e 'require("net").createServer().listen(0)'             | denies sockets
            landlock | python3 | python3 -c 'import pty; pty.openpty()'                        | has no terminals
            """)
    void programThatWantsMoreOfHostIsTold(String sandbox, String program, String script, String hint) {
        Programs.require(program);
        assertOneLine(sandbox, script, hint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    @Tag("full")
    void debuggerIsToldThatNothingIsTraced(String sandbox) {
        Programs.require("strace");
        Programs.require("gdb");
        assertOneLine(sandbox, "strace /bin/true", "neither trace processes");
        assertOneLine(sandbox, "gdb -batch -ex run /bin/true", "neither trace processes");
    }

    private void assertOneLine(String sandbox, String script, String hint) {
        Paddock.Result result = paddock.script(sandbox, script);
        assertThat(result.exitCode()).as(result.stderr()).isNotZero();
        assertThat(result.stderr().lines().filter(line -> line.startsWith("paddock: ")))
                .as(result.stdout() + result.stderr())
                .singleElement()
                .asString()
                .contains(hint);
    }
}
