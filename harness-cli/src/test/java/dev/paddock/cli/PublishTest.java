package dev.paddock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A port of a command that programs of this machine reach. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init") // set before each test
class PublishTest {
    private static final Pattern ADDRESS = Pattern.compile("port 3000 of the command is 127\\.0\\.0\\.1:(\\d+) on");
    private static final String SERVER = "exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5,"
            + " LocalAddr => \"127.0.0.1\", LocalPort => 3000) or die $!;"
            + " while ($c = $s->accept) { print $c \"hello\"; close $c }'";

    @TempDir
    private Path directory;

    private Path worktree;

    @BeforeEach
    void create() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
    }

    private Cli cli() {
        return Cli.in(worktree)
                .env("XDG_CONFIG_HOME", directory.resolve("config").toString())
                .env("XDG_STATE_HOME", directory.resolve("state").toString());
    }

    @Test
    void serverAnswersAtAddressThatIsShownUntilPaddockIsKilled() throws Exception {
        Process paddock = cli().start("exec", "-n", "--executor", "bwrap", "--publish", ":3000", "-c", SERVER);
        try (BufferedReader messages = new BufferedReader(new InputStreamReader(paddock.getErrorStream(), UTF_8))) {
            int port = port(messages);
            assertThat(answer(port)).isEqualTo("hello");
            assertThat(answer(port)).isEqualTo("hello");
            Cli.send("KILL", paddock);
            paddock.waitFor();
            assertThatThrownBy(() -> answer(port)).isInstanceOf(ConnectException.class);
        } finally {
            paddock.destroyForcibly();
        }
    }

    private static int port(BufferedReader messages) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = messages.readLine(); line != null; line = messages.readLine()) {
            all.append(line).append('\n');
            Matcher found = ADDRESS.matcher(line);
            if (found.find()) {
                return Integer.parseInt(found.group(1));
            }
        }
        throw new AssertionError("no address was shown: " + all);
    }

    private static String answer(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
            socket.setSoTimeout((int) Cli.PATIENCE.toMillis());
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void whereCommandsHaveThisMachinesNetworkNothingRunsAndReasonIsShown() throws Exception {
        Cli.Result host = cli().run("exec", "-n", "--executor", "host", "--publish", "3000", "-c", "echo ran");
        assertThat(host.stdout()).isEmpty();
        assertThat(host.exitCode()).isNotZero();
        assertThat(host.stderr()).contains("'host' cannot publish port 3000", "reachable at 127.0.0.1 without it");
        Cli.Result open = cli().run(
                        "exec",
                        "-n",
                        "--executor",
                        "bwrap",
                        "--network",
                        "open",
                        "--publish",
                        "3000",
                        "-c",
                        "echo ran");
        assertThat(open.stdout()).isEmpty();
        assertThat(open.stderr()).contains("'bwrap' cannot publish port 3000", "leave the option out");
    }

    @Test
    void portOfRulesCannotBePublished() throws Exception {
        Cli.Result refused = cli().run(
                        "exec",
                        "-n",
                        "--executor",
                        "bwrap",
                        "--allow",
                        "localhost:5432",
                        "--publish",
                        ":5432",
                        "-c",
                        "echo ran");
        assertThat(refused.stdout()).isEmpty();
        assertThat(refused.stderr()).contains("take port 5432 of the commands' localhost (localhost:5432)");
    }

    @Test
    void malformedPortIsMistakeInOptions() throws Exception {
        for (String malformed : new String[] {"3000:", "http", "0", "70000", "1:2:3", "127.0.0.1:3000:3000"}) {
            Cli.Result refused = cli().run("exec", "-n", "--publish", malformed, "-c", "echo ran");
            assertThat(refused.exitCode()).as(malformed).isEqualTo(2);
            assertThat(refused.stderr()).contains("--publish", malformed);
        }
    }
}
