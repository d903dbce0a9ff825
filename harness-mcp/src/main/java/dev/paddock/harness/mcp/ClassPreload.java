package dev.paddock.harness.mcp;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.mcp.server.ServerConnection;
import dev.paddock.harness.mcp.wire.WireJson;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/**
 * Serves an in-memory client that only initializes and lists the tools, so that the
 * libraries load their classes and inspect the protocol's types before the real client
 * connects.
 */
final class ClassPreload implements Runnable {
    private static final Logger LOG = LateLogger.of(ClassPreload.class);
    private static final String CLIENT = """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":\
            {"roots":{"listChanged":true},"elicitation":{}},"clientInfo":{"name":"preload","version":"0"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
            """;

    @Override
    public void run() {
        try {
            serve(OutputStream.nullOutputStream());
        } catch (RuntimeException fault) {
            // The real client would hit the same fault, and that is reported.
            LOG.log(Level.DEBUG, "The preload of an MCP server's classes failed", fault);
        }
    }

    /** Serves the client to its end, with the answers written to a stream. */
    static void serve(OutputStream answers) {
        try (ServerConnection connection = new ServerConnection(Set.of(), answers, new CompletableFuture<>())) {
            McpServer.AsyncSpecification<?> specification = McpToolServer.specification(
                    connection, McpSchema.Implementation.builder("preload", "0").build(), "");
            specification.toolCall(tool(), (exchange, call) -> Mono.empty());
            // The connection keeps the reference through which messages reach the server.
            McpAsyncServer unused = specification.build();
            connection.run(new ByteArrayInputStream(CLIENT.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static McpSchema.Tool tool() {
        Map<String, Object> schema = Map.of("type", "object", "properties", Map.of());
        return McpSchema.Tool.builder("tool", WireJson.map(WireJson.object(schema)))
                .description("a tool")
                .annotations(McpSchema.ToolAnnotations.builder()
                        .readOnlyHint(true)
                        .destructiveHint(false)
                        .openWorldHint(false)
                        .build())
                .build();
    }
}
