package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server on localhost that a project's tests start and use: Redis. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class ServersTest {
    /** Debian has the server in a package that starts it at once, and the same program by this name. */
    private static final String PROGRAM = "redis-check-rdb";

    /** The server cannot choose a free port itself. */
    private static final String USE = """
            server=${TMPDIR:-/tmp}/redis-server
            ln -s "$(command -v redis-check-rdb)" "$server" || exit
            "$server" --port "$1" --bind 127.0.0.1 --save '' --daemonize no >log &
            until redis-cli -p "$1" set key value >answer 2>&1 && grep -q OK answer; do
                kill -0 $! 2>/dev/null || { cat log answer; exit 1; }
                ! grep -q 'not permitted' answer || { cat answer; exit 1; }
            done
            redis-cli -p "$1" get key
            redis-cli -p "$1" shutdown
            wait
            """;

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Programs.require(PROGRAM);
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
    }

    @Test
    void bubblewrapHasLocalhostOfItsOwn() {
        Paddock.Result result = use("bwrap", 6379);
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("value\n");
    }

    @Test
    void landlockNamesWhatPermitsIt() throws Exception {
        Paddock.Result refused = use("landlock", 6379);
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.stderr()).contains("bubblewrap (--executor bwrap) permits them", "--network open permits");
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        Paddock.Result permitted = use("landlock", free, "--network", "open");
        assertThat(permitted.stdout()).as(permitted.stderr()).isEqualTo("value\n");
    }

    private Paddock.Result use(String sandbox, int port, String... options) {
        String[] all = new String[options.length + 2];
        all[0] = "--timeout";
        all[1] = "25s";
        System.arraycopy(options, 0, all, 2, options.length);
        return paddock.script(sandbox, "set -- " + port + "\n" + USE, all);
    }
}
