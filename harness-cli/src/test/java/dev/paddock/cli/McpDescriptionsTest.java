package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.executor.config.grant.CacheKind;
import dev.paddock.harness.tools.web.WebAccess;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The descriptions of the tools, which a client sends to its model with each request. */
class McpDescriptionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_CHARACTERS = 6_000;
    private static final int MANY = 30;
    private static final String LIST = """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
            "clientInfo":{"name":"test","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
            """;

    @TempDir
    private Path directory;

    @Test
    void sandboxOfManyGrantsIsDescribedShortly() throws Exception {
        McpBackend.BWRAP.require();
        Path worktree = Files.createDirectory(directory.resolve("worktree"));
        Path shared = Files.createDirectory(directory.resolve("shared"));
        List<String> arguments = new ArrayList<>(List.of(McpBackend.BWRAP.arguments()));
        arguments.addAll(List.of("--no-audit", "--cache", CacheKind.words()));
        for (int number = 1; number <= MANY; number++) {
            arguments.addAll(
                    List.of("--allow", "host" + number + ".example", "--allow", "localhost:" + (8000 + number)));
            arguments.addAll(List.of("--mount", shared + ":/shared" + number + ":rw"));
        }
        PipedOutputStream to = new PipedOutputStream();
        PipedInputStream stdin = new PipedInputStream(to);
        PipedOutputStream stdout = new PipedOutputStream();
        BufferedReader from =
                new BufferedReader(new InputStreamReader(new PipedInputStream(stdout), StandardCharsets.UTF_8));
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        Cli cli = Cli.in(worktree)
                .env("XDG_CACHE_HOME", directory.resolve("caches").toString());
        CompletableFuture<Integer> server = CompletableFuture.supplyAsync(
                () -> {
                    try (stdout) {
                        return cli.callServing(stdin, stdout, stderr, arguments.toArray(String[]::new));
                    } catch (IOException fault) {
                        throw new UncheckedIOException(fault);
                    }
                },
                task -> Thread.ofPlatform().start(task));
        int characters = WebAccess.standard().fetchTool().description().length();
        try (to) {
            to.write(LIST.getBytes(StandardCharsets.UTF_8));
            to.flush();
            String line = from.readLine();
            assertThat(line).as(stderr::toString).isNotNull();
            JsonNode tools = JSON.readTree(String.valueOf(from.readLine()))
                    .path("result")
                    .path("tools");
            assertThat(tools.findValuesAsText("name")).contains("bash");
            for (JsonNode tool : tools) {
                characters += tool.path("description").asText().length();
            }
        }
        assertThat(server.get()).as(stderr::toString).isZero();
        assertThat(characters).isBetween(1, MAX_CHARACTERS);
    }
}
