package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A database that a project's tests start: PostgreSQL, which root may not run; OrdinaryUserTest does. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class PostgresTest {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private static final String USE = """
            initdb -D data -A trust -U me >log 2>&1 || { cat log; exit 1; }
            pg_ctl -D data -w -l log -o "-c listen_addresses=localhost -c unix_socket_directories=''" start >start
            psql -h localhost -U me -tAc 'select 41 + 1' postgres
            pg_ctl -D data -w stop >stop
            """;

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
    }

    private Paddock.Result use(String sandbox) throws Exception {
        assumeTrue(Files.isDirectory(INSTALLED), "no PostgreSQL in " + INSTALLED);
        assumeTrue(!Integer.valueOf(0).equals(Files.getAttribute(project, "unix:uid")), "the server refuses root");
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            Path programs = versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .findFirst()
                    .orElseThrow();
            return paddock.script(sandbox, "PATH=" + programs + ":$PATH\n" + USE);
        }
    }

    @Test
    void bubblewrapRunsIt() throws Exception {
        Paddock.Result result = use("bwrap");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("42\n");
    }

    /** The call with which the server begins. Landlock confines no memory that programs share. */
    @Test
    void landlockNamesSandboxThatCan() {
        Programs.require("perl");
        String begin = "perl -e 'defined(shmget(0, 64, 0600)) or die \"shmget: $!\"'";
        Paddock.Result refused = paddock.script("landlock", begin);
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.stderr()).contains("no shared memory of its own; bubblewrap has (--executor bwrap)");
        Paddock.Result permitted = paddock.script("bwrap", begin);
        assertThat(permitted.exitCode()).as(permitted.stderr()).isZero();
    }
}
