package dev.paddock.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options and the configuration of a network of allowed hosts. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init") // set before each test
class NetworkOptionsTest {
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";

    @TempDir
    private Path directory;

    private Path worktree;
    private ServerSocket server;

    /** The first lines of the requests. */
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void serve() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
        Files.createDirectories(directory.resolve("config/paddock"));
        Files.writeString(directory.resolve("hosts"), "127.0.0.1 own.example\n");
        server = new ServerSocket(0, 5, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        Thread.ofVirtual().start(this::answer);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** Serves a resource, also behind a tunnel. */
    private void answer() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
                List<String> head =
                        in.lines().takeWhile(line -> !line.isEmpty()).toList();
                requests.addAll(head.stream().limit(1).toList());
                if (!head.isEmpty() && head.getFirst().startsWith("CONNECT ")) {
                    client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(US_ASCII));
                    requests.addAll(in.lines()
                            .takeWhile(line -> !line.isEmpty())
                            .limit(1)
                            .toList());
                }
                client.getOutputStream().write(ANSWER.getBytes(US_ASCII));
            } catch (IOException ended) {
                // the client's, or the server's
            }
        }
    }

    /** The program with the names of the test's hosts, which a JVM reads once. */
    private Cli named() {
        return cli().jvm("-Djdk.net.hosts.file=" + directory.resolve("hosts"));
    }

    private Cli cli() {
        return Cli.in(worktree)
                .withoutEnv("HTTPS_PROXY")
                .withoutEnv("https_proxy")
                .env("XDG_CONFIG_HOME", directory.resolve("config").toString())
                .env("XDG_STATE_HOME", directory.resolve("state").toString());
    }

    private static Cli.Result exec(Cli cli, String allowed, String... words) throws Exception {
        String[] all = new String[words.length + 6];
        System.arraycopy(new String[] {"exec", "-n", "--executor", "bwrap", "--allow", allowed}, 0, all, 0, 6);
        System.arraycopy(words, 0, all, 6, words.length);
        return cli.run(all);
    }

    @Test
    void groupOfConfigurationIsAllowedByItsName() throws Exception {
        int port = server.getLocalPort();
        Files.writeString(
                directory.resolve("config/paddock/paddock.yaml"),
                "groups: { own: [\"own.example:" + port + "/private\"] }\n");
        String fetch = "curl -sS http://own.example:" + port + "/";
        Cli.Result ran = exec(named(), "@own", "-c", fetch);
        assertThat(ran.stdout()).as(ran.toString()).isEqualTo("hello");

        Cli.Result unknown = exec(cli(), "@onw", "-c", fetch);
        assertThat(unknown.exitCode()).isNotZero();
        assertThat(unknown.stderr()).contains("there is no group of hosts named 'onw'; did you mean own?");
        Cli.Result malformed = exec(cli(), "@", "-c", fetch);
        assertThat(malformed.exitCode()).isEqualTo(2);
        assertThat(malformed.stderr()).contains("a group's name is");
    }

    @Test
    void allowedHostsAreReachedThroughHostsProxyIfTold() throws Exception {
        String fetch = "curl -sS http://nowhere.invalid:8080/thing";
        Cli proxied = cli().env("HTTPS_PROXY", "http://127.0.0.1:" + server.getLocalPort());
        Cli.Result ran = exec(proxied, "nowhere.invalid:8080", "--host-proxy", "-c", fetch);
        assertThat(ran.stdout()).as(ran.toString()).isEqualTo("hello");
        assertThat(requests).containsExactly("CONNECT nowhere.invalid:8080 HTTP/1.1", "GET /thing HTTP/1.1");

        Cli untold = cli().env("HTTPS_PROXY", "http://127.0.0.1:" + server.getLocalPort());
        Cli.Result direct = exec(untold, "nowhere.invalid:8080", "-c", fetch);
        assertThat(direct.stdout()).isEmpty();
        assertThat(requests).as("the variable alone changes nothing").hasSize(2);

        Cli.Result without = exec(cli(), "nowhere.invalid:8080", "--host-proxy", "-c", fetch);
        assertThat(without.exitCode()).isNotZero();
        assertThat(without.stderr())
                .contains(
                        "cannot reach the allowed hosts through the host's proxy: HTTPS_PROXY is not set; set HTTPS_PROXY");
    }

    @Test
    void commandsHaveVariablesOfProxyIfTold() throws Exception {
        String place = "own.example:" + server.getLocalPort();
        String fetch = "echo \"$https_proxy\"; curl -sS --proxytunnel http://" + place + "/";
        Cli.Result ran = exec(named(), place + "/private", "--proxy-variables", "-c", fetch);
        assertThat(ran.stdout()).as(ran.toString()).isEqualTo("http://127.83.0.53:3128\nhello");

        Cli.Result without = exec(cli(), place + "/private", "-c", "echo \"$https_proxy\"");
        assertThat(without.stdout()).as(without.toString()).isEqualTo("\n");

        Files.writeString(
                directory.resolve("config/paddock/paddock.yaml"),
                "network: { allow: [\"" + place + "/private\"], proxy-variables: true }\n");
        Cli.Result configured = named().run("exec", "-n", "--executor", "bwrap", "-c", fetch);
        assertThat(configured.stdout()).as(configured.toString()).isEqualTo(ran.stdout());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--host-proxy", "--proxy-variables"})
    void optionsOfProxiesNeedAllowedHosts(String option) throws Exception {
        Cli.Result alone = cli().run("exec", option, "--", "true");
        assertThat(alone.exitCode()).isEqualTo(2);
        assertThat(alone.stderr()).contains(option + " is for the hosts of --allow; name some");
    }

    @Test
    void newWorkspaceKeepsItsProxies() throws Exception {
        Cli.Result opened = cli().env("HTTPS_PROXY", "http://127.0.0.1:1")
                .run(
                        "workspace",
                        "open",
                        "--kind",
                        "local-sandbox",
                        "--allow",
                        "own.example",
                        "--host-proxy",
                        "--proxy-variables");
        assertThat(opened.exitCode()).as(opened.toString()).isZero();
        try (Stream<Path> records = Files.walk(directory.resolve("state"))) {
            assertThat(records.filter(path -> path.endsWith("workspace.json")))
                    .singleElement()
                    .satisfies(
                            path -> assertThat(path).content().contains("allow proxy=host proxy=offered own.example"));
        }
    }
}
