package dev.paddock.benchmarks.guest;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Row;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Evaluates JavaScript's expressions in workerd, which is started for each of them and answers one
 * request, without a sandbox.
 *
 * @param program the path of workerd
 * @param directory holds its configuration
 */
record WorkerdRow(Path program, Path directory) implements Row {
    private static final int LONGEST_MILLIS = 30_000;
    private static final String CONFIGURATION = """
            using Workerd = import "/workerd/workerd.capnp";
            const config :Workerd.Config = (
              services = [(name = "main", worker = (
                modules = [(name = "worker", esModule = embed "worker.js")],
                compatibilityDate = "2026-04-20"))],
              sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
            """;

    static WorkerdRow open(BenchmarkWorktree place, Path program) throws IOException {
        return new WorkerdRow(program, place.fresh("workerd-"));
    }

    @Override
    public Times run(String expression) throws IOException {
        Files.writeString(directory.resolve("config.capnp"), CONFIGURATION);
        Files.writeString(
                directory.resolve("worker.js"),
                "export default { async fetch() { return new Response(JSON.stringify(" + expression + ")); } };\n");
        long start = System.nanoTime();
        // It writes a line of JSON for each socket when it listens.
        Process workerd = new ProcessBuilder(List.of(program.toString(), "serve", "config.capnp", "--control-fd=1"))
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(workerd.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException("workerd does not listen");
            }
            answer(new ObjectMapper().readTree(line).path("port").asInt());
            long answered = System.nanoTime() - start;
            return new Times(answered, answered);
        } finally {
            workerd.destroyForcibly().onExit().join();
        }
    }

    private static void answer(int port) throws IOException {
        HttpURLConnection request = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + "/").toURL().openConnection();
        request.setConnectTimeout(LONGEST_MILLIS);
        request.setReadTimeout(LONGEST_MILLIS);
        try (var body = request.getInputStream()) {
            String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
            if (text.isEmpty()) {
                throw new IOException("workerd has answered nothing");
            }
        }
    }
}
