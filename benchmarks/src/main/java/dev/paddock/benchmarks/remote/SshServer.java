package dev.paddock.benchmarks.remote;

import dev.paddock.benchmarks.measure.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Runs sshd on the loopback interface with keys of its own; touches neither {@code ~/.ssh} nor another server. */
final class SshServer implements AutoCloseable {
    /** The name of the server in the configuration of its clients. */
    static final String HOST = "paddock-bench";

    private static final Path PROGRAM = Path.of("/usr/sbin/sshd");
    private static final Duration START = Duration.ofSeconds(20);

    private final Path directory;
    private final Process sshd;

    private SshServer(Path directory, Process sshd) {
        this.directory = directory;
        this.sshd = sshd;
    }

    /**
     * Starts it.
     *
     * @param directory for its keys and configuration, and the home of its sessions
     */
    static SshServer start(Path directory) throws IOException {
        if (!Files.isExecutable(PROGRAM)) {
            throw new IOException("sshd is not installed (Debian: openssh-server); --ssh-host names another host");
        }
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Map<String, String> variables = Map.of("PORT", Integer.toString(port), "HOST", HOST);
        new Script(directory, variables).run("""
                for key in host user; do ssh-keygen -q -t ed25519 -N '' -f $key </dev/null; done
                echo "[127.0.0.1]:$PORT $(cat host.pub)" >known
                cat >server <<END
                Port $PORT
                ListenAddress 127.0.0.1
                HostKey $PWD/host
                AuthorizedKeysFile $PWD/user.pub
                PidFile none
                UsePAM no
                StrictModes no
                PasswordAuthentication no
                PermitRootLogin yes
                SetEnv HOME=$PWD
                END
                cat >client <<END
                Host $HOST
                  HostName 127.0.0.1
                  Port $PORT
                  User $(id -un)
                  IdentityFile $PWD/user
                  IdentitiesOnly yes
                  UserKnownHostsFile $PWD/known
                END
                [ "$(id -u)" != 0 ] || mkdir -p /run/sshd
                """);
        Process sshd = new ProcessBuilder(PROGRAM.toString(), "-D", "-e", "-f", directory + "/server")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        SshServer server = new SshServer(directory, sshd);
        try {
            server.await(port);
            return server;
        } catch (IOException fault) {
            server.close();
            throw fault;
        }
    }

    private void await(int port) throws IOException {
        long deadline = System.nanoTime() + START.toNanos();
        while (!listens(port)) {
            if (!sshd.isAlive() || System.nanoTime() - deadline > 0) {
                throw new IOException("sshd does not listen: "
                        + Files.readString(directory.resolve("log")).strip());
            }
            Thread.onSpinWait();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    /** Returns the configuration of its clients. */
    Path config() {
        return directory.resolve("client");
    }

    @Override
    public void close() {
        sshd.descendants().forEach(ProcessHandle::destroy);
        sshd.destroy();
        sshd.onExit().join();
    }
}
