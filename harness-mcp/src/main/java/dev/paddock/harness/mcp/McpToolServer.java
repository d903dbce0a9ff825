package dev.paddock.harness.mcp;

import dev.paddock.harness.AgentSession;
import dev.paddock.harness.mcp.server.ServedTool;
import dev.paddock.harness.mcp.server.ServerConnection;
import dev.paddock.harness.mcp.wire.Json;
import dev.paddock.harness.tools.Tool;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Serves a session's tools to one MCP client, over a pair of streams with a message a line: a program's standard input and output,
 * as a rule. Nothing else may write to the output.
 *
 * <pre>{@code
 * try (AgentSession session = AgentSession.builder().model(Model.none()).cwd(worktree).build()) {
 *     McpToolServer.of(session, "my-tools", "1.0").serve(System.in, protocol);
 * }
 * }</pre>
 *
 * <p>Calls run concurrently, 64 at most. A call that carries a progress token is told the output of its command as it comes, in
 * the messages of progress notifications; a client that reads slowly is told less often, and is never waited for. A cancelled
 * call's command is ended with its tree. What fails is an error result that the model reads; errors of the protocol are for calls
 * that could not be understood.
 *
 * <p>One server serves one client, once.
 */
public final class McpToolServer {
    private final AgentSession session;
    private final McpSchema.Implementation identity;
    private final AtomicBoolean served = new AtomicBoolean();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    private McpToolServer(AgentSession session, McpSchema.Implementation identity) {
        this.session = session;
        this.identity = identity;
    }

    /**
     * A server for a session.
     *
     * @param session the session; stays the caller's, who closes it after {@link #serve} has returned
     * @param name what the client is told the server is called
     * @param version what the client is told its version is
     * @return the server
     */
    public static McpToolServer of(AgentSession session, String name, String version) {
        return new McpToolServer(
                session, McpSchema.Implementation.builder(name, version).build());
    }

    /**
     * Serves the client until it closes its side, cannot be written to any more, or {@link #stop()} is called. The calls that are
     * under way then are aborted.
     *
     * @param input what the client writes; read on a thread of the server's own, which may stay blocked in it
     * @param output what the client reads; not closed
     * @throws IllegalStateException if this has been called before
     */
    public void serve(InputStream input, OutputStream output) {
        if (!served.compareAndSet(false, true)) {
            throw new IllegalStateException("this server has served its client; make another for the next");
        }
        Set<String> names =
                session.tools().stream().map(Tool::name).collect(Collectors.toCollection(LinkedHashSet::new));
        try (ServerConnection connection = new ServerConnection(names, output, over)) {
            offerTools(connection);
            connection.run(input);
        }
    }

    /** Ends {@link #serve}, also if it has not begun; it returns soon. Idempotent. */
    public void stop() {
        over.complete(null);
    }

    void offerTools(ServerConnection connection) {
        McpServer.AsyncSpecification<?> specification = McpServer.async(connection)
                .serverInfo(identity)
                .instructions(session.instructions())
                .capabilities(
                        McpSchema.ServerCapabilities.builder().tools(false).build())
                .jsonMapper(Json.MAPPER)
                // The session checks arguments itself, for every model in the same words.
                .jsonSchemaValidator(Json.ANYTHING)
                .validateToolInputs(false);
        for (Tool tool : session.tools()) {
            ServedTool served = new ServedTool(tool, session, connection.workers());
            specification.toolCall(served.description(), served::call);
        }
        // What it is reached by is the connection.
        McpAsyncServer unused = specification.build();
    }
}
