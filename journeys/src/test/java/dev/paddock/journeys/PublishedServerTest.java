package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A development server in a sandbox, and the programs of its user outside. */
@EnabledOnOs(OS.LINUX)
class PublishedServerTest {
    private static final Pattern ADDRESS = Pattern.compile("is (127\\.0\\.0\\.1:\\d+) on this machine");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Serves the project until it has a file named stop. */
    private static final String SERVE =
            "python3 -m http.server 3000 & until [ -e stop ]; do sleep 0.05; done; kill $!; wait";

    private static final String PAGE = "<title>before</title><script>document.title = 'it ' + 'works'</script>";

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Programs.require("python3");
        Programs.require("curl");
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        Files.writeString(project.resolve("index.html"), PAGE);
    }

    /** Uses the server from outside, until the user has seen enough. */
    private void serve(Use use) throws Exception {
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        CompletableFuture<Integer> served = CompletableFuture.supplyAsync(
                () -> paddock.run(
                        InputStream.nullInputStream(),
                        new ByteArrayOutputStream(),
                        stderr,
                        "exec",
                        "--executor",
                        "bwrap",
                        "--publish",
                        ":3000",
                        "-c",
                        SERVE),
                task -> Thread.ofPlatform().start(task));
        String address;
        try {
            Matcher shown = Awaitility.await("the address is shown")
                    .atMost(PATIENCE)
                    .until(
                            () -> ADDRESS.matcher(stderr.toString(StandardCharsets.UTF_8)),
                            found -> found.find() || served.isDone());
            assertThat(served).as(stderr.toString(StandardCharsets.UTF_8)).isNotDone();
            address = "http://" + shown.group(1) + "/";
            use.from(address);
        } finally {
            Files.createFile(project.resolve("stop"));
            served.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertThatThrownBy(() -> paddock.host("curl -sS " + address)).hasMessageContaining("curl: (7)");
    }

    /** Uses an address. */
    private interface Use {
        void from(String address) throws Exception;
    }

    @Test
    void curlReadsPageAndFileThatServerHasLater() throws Exception {
        serve(address -> {
            assertThat(paddock.host("curl -fsS " + address)).isEqualTo(PAGE);
            Files.write(project.resolve("large"), new byte[5_000_000]);
            assertThat(paddock.host("curl -fsS " + address + "large | wc -c").strip())
                    .isEqualTo("5000000");
        });
    }

    /** The model names the port of its server; the port of the machine is the user's choice, or a free one. */
    @Test
    void agentsServerIsAtPortThatUserHasChosen() throws Exception {
        int chosen = freePort();
        String address = "http://127.0.0.1:" + chosen + "/";
        try (McpClient client = McpClient.start(paddock, "--executor", "bwrap", "--publish", chosen + ":3000")) {
            assertThat(client.call("bash", publishing(SERVE, 3000)))
                    .contains("Port 3000 is 127.0.0.1:" + chosen + " on the user's machine.");
            assertThat(paddock.host("curl -fsS " + address)).isEqualTo(PAGE);
            assertThat(client.call("bash", publishing("sleep 300", 3001)))
                    .containsPattern("Port 3001 is 127\\.0\\.0\\.1:\\d+ on the user's machine\\.")
                    .doesNotContain("127.0.0.1:3001 ");
            assertThat(client.call("bash_output", Map.of("shell_id", "bash_1")))
                    .contains("Port 3000 is 127.0.0.1:" + chosen + " on the user's machine.");
        }
        assertThatThrownBy(() -> paddock.host("curl -sS " + address)).hasMessageContaining("curl: (7)");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static Map<String, ?> publishing(String command, int port) {
        return Map.of("command", command, "run_in_background", true, "publish", port);
    }

    @Test
    @Tag("full")
    void browserRunsPage() throws Exception {
        Programs.require("chromium");
        serve(address -> assertThat(paddock.host("chromium --headless --no-sandbox --disable-gpu --user-data-dir="
                        + root.resolve("profile") + " --virtual-time-budget=2000 --dump-dom " + address
                        + " 2>/dev/null"))
                .contains("<title>it works</title>"));
    }
}
