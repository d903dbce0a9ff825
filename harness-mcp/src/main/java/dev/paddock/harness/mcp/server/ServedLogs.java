package dev.paddock.harness.mcp.server;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.Toolbox;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncResourceSpecification;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import reactor.core.publisher.Mono;

/**
 * Offers the logs of a toolbox as MCP resources: the whole output of commands whose
 * result shows only the end, and that of background shells.
 */
public final class ServedLogs {
    /** The maximum length of the end of a log that is sent. The tool {@code read} reads longer ones in parts. */
    static final int MAX_BYTES = 1 << 20;

    private static final Logger LOG = LateLogger.of(ServedLogs.class);
    private static final String SCHEME = "paddock://logs/";
    private static final String TEXT = "text/plain";

    private final Toolbox toolbox;
    private final Executor workers;
    private final Set<Path> published = new LinkedHashSet<>();
    private volatile Optional<McpAsyncServer> server = Optional.empty();

    public ServedLogs(Toolbox toolbox, Executor workers) {
        this.toolbox = toolbox;
        this.workers = workers;
    }

    /** Receives the server that lists the logs. */
    public void connect(McpAsyncServer one) {
        server = Optional.of(one);
        publish();
    }

    /** Lists the current logs, and notifies the client if they have changed. */
    void publish() {
        server.ifPresent(this::publish);
    }

    private synchronized void publish(McpAsyncServer one) {
        Set<Path> current = new LinkedHashSet<>(toolbox.logs());
        List<Path> gone =
                published.stream().filter(log -> !current.contains(log)).toList();
        gone.forEach(log -> {
            published.remove(log);
            report(one.removeResource(uri(log)));
        });
        current.stream().filter(published::add).forEach(log -> report(one.addResource(resource(log))));
    }

    private static void report(Mono<Void> change) {
        change.subscribe(ignored -> {}, fault -> LOG.log(Level.DEBUG, "The list of logs could not be changed", fault));
    }

    private static String uri(Path log) {
        return SCHEME + log.getFileName();
    }

    /** Returns the resource of a log that a result names; empty if it names none. */
    static Optional<String> uri(String log) {
        return log.isEmpty() ? Optional.empty() : Optional.of(uri(Path.of(log)));
    }

    private AsyncResourceSpecification resource(Path log) {
        McpSchema.Resource description = McpSchema.Resource.builder(
                        uri(log), log.getFileName().toString())
                .title("Output log " + log.getFileName())
                .description("What a command wrote: the last " + MAX_BYTES + " bytes of the log " + log)
                .mimeType(TEXT)
                .build();
        return new AsyncResourceSpecification(
                description,
                (exchange, request) -> Mono.<McpSchema.ReadResourceResult>create(sink -> workers.execute(() -> {
                    try {
                        McpSchema.ResourceContents content = McpSchema.TextResourceContents.builder(uri(log), end(log))
                                .mimeType(TEXT)
                                .build();
                        sink.success(McpSchema.ReadResourceResult.builder(List.of(content))
                                .build());
                    } catch (IOException fault) {
                        sink.error(fault);
                    }
                })));
    }

    private static String end(Path log) throws IOException {
        try (FileChannel file = FileChannel.open(log, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long size = file.size();
            long from = Math.max(0, size - MAX_BYTES);
            ByteBuffer bytes = ByteBuffer.allocate((int) (size - from));
            int read = 0;
            while (bytes.hasRemaining() && read >= 0) {
                read = file.read(bytes, from + bytes.position());
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }
}
