package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A real sshd on the loopback, with keys of its own, and the configuration of clients that reach it. */
final class SshServer implements AutoCloseable {
    /** The host's name in the configuration. */
    static final String HOST = "paddock-far";

    /** Prints a line when sshd listens; ends sshd when its input ends. */
    private static final String SCRIPT = """
            cd "$1" || exit
            for key in host user; do ssh-keygen -q -t ed25519 -N "" -f $key || exit; done
            mkdir -p /run/sshd
            port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')
            echo "[127.0.0.1]:$port $(cut -d " " -f 1,2 host.pub)" >known
            printf '%s\n' "Host $2" "HostName 127.0.0.1" "Port $port" "User $(id -un)" "IdentityFile $1/user" \
                "IdentitiesOnly yes" "UserKnownHostsFile $1/known" >client
            /usr/sbin/sshd -D -e -f /dev/null -p "$port" -h "$1/host" -o ListenAddress=127.0.0.1 -o PidFile=none \
                -o "AuthorizedKeysFile=$1/user.pub" -o StrictModes=no -o UsePAM=no 2>log </dev/null &
            until grep -q "Server listening" log; do kill -0 $! || exit; done
            echo ready
            read -r end
            pkill -P $!
            kill $!
            wait
            """;

    private final Path directory;
    private final Process process;

    private SshServer(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    static SshServer start() throws IOException {
        boolean isInstalled = Files.isExecutable(Path.of("/usr/sbin/sshd"));
        if (System.getenv("CI") == null) {
            assumeTrue(isInstalled, "these tests take sshd (Debian: openssh-server)");
        }
        assertThat(isInstalled).as("sshd is installed").isTrue();
        Path directory = Files.createTempDirectory("paddock-sshd");
        Process process = new ProcessBuilder("sh", "-c", SCRIPT, "sh", directory.toString(), HOST)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        SshServer server = new SshServer(directory, process);
        byte[] ready = process.getInputStream().readNBytes(5);
        assertThat(new String(ready, StandardCharsets.US_ASCII)).isEqualTo("ready");
        return server;
    }

    /** Returns the file to be named to the clients. */
    Path clients() {
        return directory.resolve("client");
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        assertThat(process.onExit()).as("sshd ended").succeedsWithin(20, TimeUnit.SECONDS);
        for (String file : new String[] {"host", "host.pub", "user", "user.pub", "known", "client", "log"}) {
            Files.delete(directory.resolve(file));
        }
        Files.delete(directory);
    }
}
