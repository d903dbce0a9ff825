package dev.paddock.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.paddock.cli.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
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

/** Tests the records of the connections that commands make in a network of allowed hosts. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class AuditedConnectionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HOST = "allowed.paddock.example";
    private static final String OTHER = "other.paddock.example";
    private static final byte[] BODY = "hello".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path directory;

    private Path worktree;
    private HttpServer server;
    private String rule = "";

    @BeforeEach
    void serve() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
        Files.writeString(directory.resolve("hosts"), "127.0.0.1 " + HOST + "\n127.0.0.1 " + OTHER + "\n");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, BODY.length);
            exchange.getResponseBody().write(BODY);
            exchange.close();
        });
        server.start();
        rule = HOST + ":" + server.getAddress().getPort() + "/private";
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Cli cli() {
        return Cli.in(worktree)
                .env("XDG_CONFIG_HOME", directory.resolve("config").toString())
                .env("XDG_STATE_HOME", directory.resolve("state").toString());
    }

    private Cli.Result run(String... words) throws Exception {
        return cli().run(words);
    }

    /** Runs the program with the names of the test's hosts, which a JVM reads once. */
    private Cli.Result connect(String... words) throws Exception {
        return cli().jvm("-Djdk.net.hosts.file=" + directory.resolve("hosts")).run(words);
    }

    private String fetchBoth() {
        int port = server.getAddress().getPort();
        return "curl -sS http://" + HOST + ":" + port + "/; curl -sS http://" + OTHER + ":" + port + "/";
    }

    /** Returns the records of an event, the oldest first. */
    private List<JsonNode> records(String event) throws Exception {
        List<JsonNode> records = new ArrayList<>();
        for (String line :
                run("audit", "export", "--event", event).stdout().lines().toList()) {
            records.add(JSON.readTree(line).path("record"));
        }
        return records;
    }

    @Test
    void connectionsOfCommandAreListedAndExported() throws Exception {
        Cli.Result ran = connect("exec", "-n", "--executor", "bwrap", "--allow", rule, "-c", fetchBoth());
        assertThat(ran.stdout()).as(ran.toString()).isEqualTo("hello");

        List<JsonNode> connections = records("connection");
        assertThat(connections).as(connections.toString()).hasSize(2);
        JsonNode allowed = connections.stream()
                .filter(record -> record.path("allowed").asBoolean())
                .findFirst()
                .orElseThrow();
        assertThat(allowed.path("host").asText()).isEqualTo(HOST);
        assertThat(allowed.path("port").asInt()).isEqualTo(server.getAddress().getPort());
        assertThat(allowed.path("executor").asText()).isEqualTo("bwrap");
        assertThat(allowed.path("sent_bytes").asLong()).isGreaterThan("GET / HTTP/1.1".length());
        assertThat(allowed.path("received_bytes").asLong()).isGreaterThan(BODY.length);
        assertThat(allowed.path("session").asText())
                .isEqualTo(records("command").getFirst().path("session").asText());
        JsonNode denied = connections.stream()
                .filter(record -> !record.path("allowed").asBoolean())
                .findFirst()
                .orElseThrow();
        assertThat(denied.path("host").asText()).isEqualTo(OTHER);
        assertThat(denied.path("reason").asText()).isEqualTo("not allowed");

        assertThat(run("audit", "list", "--event", "connection").stdout())
                .hasLineCount(2)
                .contains(rule.replace("/private", "") + " allowed, ", " received", OTHER + " denied: not allowed");
        assertThat(run("audit", "export", "--format", "csv").stdout())
                .contains(
                        ",host,port,allowed,reason,sent_bytes,received_bytes,cwd,command\n",
                        "," + HOST + ",",
                        ",not allowed,");
    }

    @Test
    void recordOfWorkspacesCommandNamesAllowedHosts() throws Exception {
        Cli.Result opened = run("workspace", "open", "--kind", "local-sandbox", "--allow", rule);
        String id = opened.stdout().strip();
        assertThat(id).as(opened.toString()).isNotEmpty();
        Cli.Result ran = connect("workspace", "exec", id, "-n", "-c", fetchBoth());
        assertThat(ran.stdout()).as(ran.toString()).isEqualTo("hello");
        assertThat(records("command"))
                .singleElement()
                .satisfies(record -> assertThat(record.path("policy").toString())
                        .contains("network allow " + rule)
                        .doesNotContain("network open"));
        assertThat(records("connection")).hasSize(2);
    }
}
