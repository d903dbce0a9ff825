package dev.paddock.executor.ssh;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * An sshd on the loopback interface with a port, host keys and users' keys of its own. The tests touch
 * neither the user's {@code ~/.ssh} nor a server of the machine's; shells there read no start-up file
 * of the user's.
 */
final class TestServer implements AutoCloseable {
    /** The name of the server in the configuration of its clients. */
    static final String HOST = "paddock-test";

    /** Names the client configuration of a server that another JVM runs. */
    private static final String PROPERTY = "paddock.test.ssh.config";

    /** The servers of all JVMs need it for each connection, so none removes it; systems make it at boot. */
    private static final Path PRIVILEGE_SEPARATION = Path.of("/run/sshd");

    private final Path directory;
    private final int port;
    private Process sshd;

    private TestServer(Path directory, int port, Process sshd) {
        this.directory = directory;
        this.port = port;
        this.sshd = sshd;
    }

    /** Starts a server for this JVM, and makes its clients' configuration known to JVMs that this starts. */
    static TestServer start(String... options) throws Exception {
        boolean installed = Files.isExecutable(Path.of("/usr/sbin/sshd"))
                && new ProcessBuilder("which", "ssh", "ssh-keygen").start().waitFor() == 0;
        Prerequisite.require(installed, "sshd and ssh are not installed (Debian: openssh-server, openssh-client)");
        Path directory = Files.createTempDirectory(
                "paddock-sshd", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String key : List.of("host", "user", "stranger")) {
            run(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    directory.resolve(key).toString());
        }
        Files.copy(directory.resolve("user.pub"), directory.resolve("authorized"));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.writeString(
                directory.resolve("known"),
                "[127.0.0.1]:" + port + " " + Files.readString(directory.resolve("host.pub")));
        Files.writeString(directory.resolve("server"), """
                Port %d
                ListenAddress 127.0.0.1
                HostKey %s/host
                AuthorizedKeysFile %s/authorized
                PidFile none
                UsePAM no
                StrictModes no
                PasswordAuthentication no
                PermitRootLogin yes
                SetEnv HOME=%s
                %s
                """.formatted(
                        port, directory, directory, directory, String.join("\n", options)));
        Files.writeString(directory.resolve("client"), """
                Host %s
                  HostName 127.0.0.1
                  Port %d
                  User %s
                  IdentityFile %s/user
                  IdentitiesOnly yes
                  UserKnownHostsFile %s/known
                """.formatted(
                        HOST, port, System.getProperty("user.name"), directory, directory));
        Files.createDirectories(PRIVILEGE_SEPARATION);
        TestServer server = new TestServer(directory, port, launch(directory));
        server.awaitPort();
        return server;
    }

    private static Process launch(Path directory) throws IOException {
        return new ProcessBuilder(
                        "/usr/sbin/sshd",
                        "-D",
                        "-e",
                        "-f",
                        directory.resolve("server").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private void awaitPort() {
        Awaitility.await("sshd listens").atMost(Duration.ofSeconds(20)).until(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException refused) {
                return false;
            }
        });
    }

    /** Publishes the client's configuration for JVMs that a contract test starts. */
    void publish() {
        System.setProperty(PROPERTY, config().toString());
    }

    /** Returns the client's configuration that another JVM has published, or this. */
    static Path published() {
        return Path.of(System.getProperty(PROPERTY, "/nonexistent"));
    }

    static boolean isPublished() {
        return System.getProperty(PROPERTY) != null;
    }

    Path config() {
        return directory.resolve("client");
    }

    Path directory() {
        return directory;
    }

    int port() {
        return port;
    }

    SshExecutor.Builder client() {
        return SshExecutor.builder(HOST).configFile(config());
    }

    private static void run(String... argv) throws Exception {
        Process process = new ProcessBuilder(argv).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", argv) + " failed");
        }
    }

    /** Sends a signal to every process that serves a connection. */
    void signalConnections(String signal) {
        sshd.descendants()
                .filter(process -> process.info().command().orElse("").contains("ssh"))
                .forEach(process -> {
                    try {
                        run("kill", "-" + signal, Long.toString(process.pid()));
                    } catch (Exception gone) {
                        // it ended meanwhile
                    }
                });
    }

    /** Kills the server with all that serves connections. */
    void kill() throws Exception {
        signalConnections("KILL");
        sshd.destroyForcibly().waitFor();
    }

    void restart() throws Exception {
        sshd = launch(directory);
        awaitPort();
    }

    @Override
    public void close() throws IOException {
        signalConnections("TERM");
        sshd.destroy();
        sshd.onExit().completeOnTimeout(sshd, 10, TimeUnit.SECONDS).join();
        sshd.destroyForcibly().onExit().join();
        System.clearProperty(PROPERTY);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
