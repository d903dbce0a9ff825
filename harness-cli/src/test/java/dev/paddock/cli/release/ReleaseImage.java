package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.Cli;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The container image of a release in the engine of the tests. */
final class ReleaseImage {
    private ReleaseImage() {}

    /** What is done with the image. */
    interface Use {
        void with(String loaded) throws Exception;
    }

    /** Loads the image, has it used, and removes it; an image that had its name keeps that. */
    static void with(Path archive, Use use) throws Exception {
        String tag = ReleaseTest.run("sh", "-c", "tar -xzOf '" + archive + "' manifest.json")
                .stdout();
        String name = new ObjectMapper().readTree(tag).at("/0/RepoTags/0").asText();
        Optional<String> before = id(name);
        assertThat(ReleaseTest.run("docker", "load", "--input", archive.toString())
                        .exitCode())
                .isZero();
        try {
            use.with(id(name).orElseThrow());
        } finally {
            ReleaseTest.run("docker", "image", "rm", "--force", name);
            if (before.isPresent()) {
                ReleaseTest.run("docker", "tag", before.get(), name);
            }
        }
    }

    private static Optional<String> id(String image) throws Exception {
        Cli.Result result = ReleaseTest.run("docker", "image", "inspect", "--format", "{{.Id}}", image);
        return result.exitCode() == 0 ? Optional.of(result.stdout().strip()) : Optional.empty();
    }

    /** Initializes a server, has it run a command, and closes its input. */
    static List<JsonNode> converse(Process server) throws Exception {
        List<JsonNode> answers = new ArrayList<>();
        try (BufferedReader reader = server.inputReader(StandardCharsets.UTF_8)) {
            for (String message : List.of("""
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
                    "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""", """
                    {"jsonrpc":"2.0","method":"notifications/initialized"}
                    {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bash",\
                    "arguments":{"command":"echo made in the sandbox | tee file"}}}""")) {
                server.getOutputStream().write((message + "\n").getBytes(StandardCharsets.UTF_8));
                server.getOutputStream().flush();
                String line = reader.readLine();
                assertThat(line)
                        .as("an answer; stderr: %s", line == null ? text(server) : "")
                        .isNotNull();
                answers.add(new ObjectMapper().readTree(line));
            }
            server.getOutputStream().close();
        }
        assertThat(server.waitFor()).isZero();
        return answers;
    }

    private static String text(Process server) throws IOException {
        return new String(server.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
