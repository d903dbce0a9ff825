package dev.paddock.benchmarks.row;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts a server of the Model Context Protocol, and waits for its answer to {@code initialize}.
 * The answer's arrival counts as the first byte; the server then ends with its input.
 */
record ServerRow(List<String> line, Path directory) implements Row {
    private static final int MAX_SECONDS = 60;

    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"paddock-bench\",\"version\":\"1\"}}}\n";

    @Override
    public Times run(String unused) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(directory.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
        long start = System.nanoTime();
        Process server = builder.start();
        try (BufferedReader answers = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
            server.getOutputStream().write(INITIALIZE.getBytes(UTF_8));
            server.getOutputStream().flush();
            String answer = answers.readLine();
            long answered = System.nanoTime();
            if (answer == null || !answer.contains("\"serverInfo\"")) {
                throw new IOException(String.join(" ", line) + " did not answer initialize, but: " + answer);
            }
            server.getOutputStream().close();
            if (!server.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("a server did not end within " + MAX_SECONDS + " s of its input's end");
            }
            return new Times(answered - start, System.nanoTime() - start);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped");
        } finally {
            server.destroyForcibly();
        }
    }
}
