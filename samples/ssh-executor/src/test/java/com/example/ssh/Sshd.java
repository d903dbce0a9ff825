package com.example.ssh;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.tck.subject.HostSignals;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A real sshd on the loopback interface, with a port, host keys and users' keys of its own. */
final class Sshd implements AutoCloseable {
    /** The name of the server in the configuration of its clients. */
    static final String HOST = "paddock-test";

    /** Names the client configuration of a server that another JVM runs; JVMs of C12 are given it. */
    private static final String PROPERTY = "paddock.sample.ssh.config";

    private static final Path PROGRAM = Path.of("/usr/sbin/sshd");

    /** The servers of all JVMs need it for each connection, so none removes it; systems make it at boot. */
    private static final Path PRIVILEGE_SEPARATION = Path.of("/run/sshd");

    private static final Duration START = Duration.ofSeconds(20);
    private static final Duration END = Duration.ofSeconds(10);

    private final Path directory;
    private final int port;
    private final Process sshd;

    private Sshd(Path directory, int port, Process sshd) {
        this.directory = directory;
        this.port = port;
        this.sshd = sshd;
    }

    /** Starts a server with further lines of its configuration, and waits until it accepts connections. */
    static Sshd start(String... options) throws IOException {
        assumeTrue(Files.isExecutable(PROGRAM), "sshd is not installed (Debian: openssh-server)");
        Path directory = Files.createTempDirectory(
                "paddock-sshd", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String key : List.of("host", "user")) {
            String file = directory.resolve(key).toString();
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file);
        }
        int port = freePort();
        configure(directory, port, List.of(options));
        if (System.getProperty("user.name").equals("root")) {
            Files.createDirectories(PRIVILEGE_SEPARATION);
        }
        Sshd server = new Sshd(directory, port, launch(directory));
        try {
            server.awaitPort();
            return server;
        } catch (RuntimeException fault) {
            server.close();
            throw fault;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static void configure(Path directory, int port, List<String> options) throws IOException {
        Files.writeString(
                directory.resolve("known"),
                "[127.0.0.1]:" + port + " " + Files.readString(directory.resolve("host.pub")));
        Files.writeString(directory.resolve("server"), """
                Port %d
                ListenAddress 127.0.0.1
                HostKey %s/host
                AuthorizedKeysFile %s/user.pub
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
    }

    private static Process launch(Path directory) throws IOException {
        String configuration = directory.resolve("server").toString();
        return new ProcessBuilder(PROGRAM.toString(), "-D", "-e", "-f", configuration)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private void awaitPort() {
        Awaitility.await("sshd listens").atMost(START).until(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException refused) {
                return requireAlive();
            }
        });
    }

    /** Returns false; fails with what sshd has written if it has ended. */
    private boolean requireAlive() throws IOException {
        if (!sshd.isAlive()) {
            throw new IOException("sshd has ended: "
                    + Files.readString(directory.resolve("log")).strip());
        }
        return false;
    }

    /** Makes the client's configuration known to JVMs that the suite starts, until this is closed. */
    void publish() {
        System.setProperty(PROPERTY, config().toString());
    }

    /** Returns the client's configuration that this JVM or its parent has published. */
    static Optional<Path> published() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of);
    }

    private Path config() {
        return directory.resolve("client");
    }

    /** Sends a signal to what serves connections: KILL cuts them, STOP makes the server silent until CONT. */
    void signalConnections(String signal) throws IOException {
        List<Long> serving = sshd.descendants()
                .filter(process -> process.info().command().orElse("").contains("ssh"))
                .map(ProcessHandle::pid)
                .toList();
        for (long pid : serving) {
            HostSignals.send(signal, pid);
        }
    }

    private static void run(String... argv) throws IOException {
        Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = exitCode(process);
        if (code != 0) {
            throw new IOException(String.join(" ", argv) + " failed with " + code + ": " + output.strip());
        }
    }

    private static int exitCode(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException interrupt) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a program ran");
        }
    }

    @Override
    public void close() throws IOException {
        signalConnections("TERM");
        sshd.destroy();
        sshd.onExit().completeOnTimeout(sshd, END.toSeconds(), TimeUnit.SECONDS).join();
        sshd.destroyForcibly().onExit().join();
        if (published().filter(config()::equals).isPresent()) {
            System.clearProperty(PROPERTY);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
