package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A database of the user's, Redis, outside of the sandbox, and a command that uses it. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class LocalDatabaseTest {
    /** Debian has the server in a package that starts it at once, and the same program by this name. */
    private static final Path PROGRAM = Path.of("/usr/bin/redis-check-rdb");

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @SuppressWarnings("NullAway.Init") // set before each test
    private Process database;

    private int port;

    @BeforeEach
    void serve() throws Exception {
        Prerequisite.require(Files.isExecutable(PROGRAM), "no program " + PROGRAM);
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort(); // the server cannot choose one itself
        }
        Path server = Files.createSymbolicLink(real.resolve("redis-server"), PROGRAM);
        database = new ProcessBuilder(
                        server.toString(), "--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", "")
                .directory(Files.createDirectory(real.resolve("data")).toFile())
                .redirectErrorStream(true)
                .start();
        BufferedReader log = database.inputReader();
        String line = log.readLine();
        while (line != null && !line.contains("Ready to accept connections")) {
            line = log.readLine();
        }
        assertThat(line).as("the database serves").isNotNull();
    }

    @AfterEach
    void stop() throws Exception {
        database.destroyForcibly().waitFor();
    }

    private Paddock.Result use(String... options) {
        List<String> words = new ArrayList<>(List.of("exec"));
        words.addAll(List.of(options));
        String client = "redis-cli -p " + port;
        words.addAll(List.of("-c", client + " ping && " + client + " set key value && " + client + " incr count"));
        return paddock.run(words.toArray(String[]::new));
    }

    private void assertUses(String... options) throws Exception {
        Paddock.Result without = use(options);
        assertThat(without.exitCode()).as("control").isNotZero();
        assertThat(without.stdout()).doesNotContain("PONG");

        String[] allowed = new String[options.length + 2];
        System.arraycopy(options, 0, allowed, 0, options.length);
        allowed[options.length] = "--allow";
        allowed[options.length + 1] = "localhost:" + port;
        Paddock.Result result = use(allowed);
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("PONG\nOK\n1\n");
        assertThat(result.exitCode()).isZero();
        assertThat(paddock.host("redis-cli -p " + port + " get key"))
                .as("of the user's database")
                .isEqualTo("value\n");
    }

    @Test
    void commandInBubblewrapUsesIt() throws Exception {
        assertUses("--executor", "bwrap");
    }

    @Test
    void commandInContainerUsesIt() throws Exception {
        assertUses(Engine.withPrograms());
    }
}
