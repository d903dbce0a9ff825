package dev.paddock.harness.mcp;

import dev.paddock.harness.AgentSession;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.events.Subscription;
import dev.paddock.harness.mcp.server.Elicitation;
import dev.paddock.harness.mcp.server.EndedShells;
import dev.paddock.harness.mcp.server.ServedLogs;
import dev.paddock.harness.mcp.server.ServedTool;
import dev.paddock.harness.mcp.server.ServerConnection;
import dev.paddock.harness.mcp.wire.Threads;
import dev.paddock.harness.mcp.wire.WireJson;
import dev.paddock.harness.tools.Tool;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Serves the tools of a toolbox or a session to one MCP client over a pair of streams with one message per line,
 * usually a program's standard input and output. Nothing else may write to the output.
 *
 * <pre>{@code
 * try (Toolbox toolbox = Toolbox.builder().cwd(worktree).build()) {
 *     McpToolServer.of(toolbox, "my-tools", "1.0").serve(System.in, protocol);
 * }
 * }</pre>
 *
 * <p>Calls run concurrently, 64 at most. For a call with a progress token, the server streams the
 * output of its command in the messages of progress notifications; a client that reads slowly
 * receives fewer notifications, and never blocks the call. When the client cancels a call, the
 * server kills its command's process tree. A failed call returns an error result that the model
 * reads; protocol errors are reserved for calls that could not be understood. Results of tools with
 * an output schema have structured content as well, which contains the text. The logs of commands
 * are the protocol's resources.
 *
 * <p>A log message of the level info notifies the client once of each background shell that has
 * ended.
 *
 * <p>The toolbox's approver decides about each call; a {@link ClientApprover} asks the client's
 * user. One instance serves one client, once.
 *
 * @since 0.1
 */
public final class McpToolServer {
    private final Toolbox toolbox;
    private final McpSchema.Implementation identity;
    private final AtomicBoolean served = new AtomicBoolean();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    private McpToolServer(Toolbox toolbox, McpSchema.Implementation identity) {
        this.toolbox = toolbox;
        this.identity = identity;
    }

    /**
     * Returns a server for a session.
     *
     * @param session the session; the caller keeps it, and closes it after {@link #serve} has
     *     returned
     * @param name the server's name as the client receives it
     * @param version the server's version as the client receives it
     * @return the server
     */
    public static McpToolServer of(AgentSession session, String name, String version) {
        return of(Toolbox.of(session), name, version);
    }

    /**
     * Returns a server for a toolbox.
     *
     * @param toolbox the toolbox; the caller keeps it, and closes it after {@link #serve} has
     *     returned
     * @param name the server's name as the client receives it
     * @param version the server's version as the client receives it
     * @return the server
     */
    public static McpToolServer of(Toolbox toolbox, String name, String version) {
        return new McpToolServer(
                toolbox, McpSchema.Implementation.builder(name, version).build());
    }

    /**
     * Loads the classes for a client's first messages on a separate thread, and returns at once.
     * A program that calls this before it opens its toolbox answers its client sooner; nothing else
     * changes.
     */
    public static void preload() {
        Threads.daemon("mcp-preload", new ClassPreload()).start();
    }

    /**
     * Serves the client until it closes its side, the output is broken, or {@link #stop()} is
     * called. Calls that are in progress then are aborted.
     *
     * @param input the client's messages; read on the server's own thread, which may stay
     *     blocked in the read
     * @param output receives the server's messages; not closed
     * @throws IllegalStateException if this has been called before, or the toolbox has a {@link
     *     ClientApprover} that asks another server's client
     */
    public void serve(InputStream input, OutputStream output) {
        if (!served.compareAndSet(false, true)) {
            throw new IllegalStateException("this server has served its client; make another for the next");
        }
        Set<String> names =
                toolbox.tools().stream().map(Tool::name).collect(Collectors.toCollection(LinkedHashSet::new));
        Optional<ClientApprover> approver =
                toolbox.approver().filter(ClientApprover.class::isInstance).map(ClientApprover.class::cast);
        try (ServerConnection connection = new ServerConnection(names, output, over)) {
            Elicitation elicitation = new Elicitation(connection::withdraw);
            approver.ifPresent(one -> one.connect(elicitation));
            try {
                serve(connection, elicitation, input);
            } finally {
                approver.ifPresent(ClientApprover::disconnect);
            }
        }
    }

    private void serve(ServerConnection connection, Elicitation elicitation, InputStream input) {
        Subscription ends = toolbox.subscribe(new EndedShells(connection));
        try {
            offerTools(connection, elicitation);
            connection.run(input);
        } finally {
            ends.close();
        }
    }

    /** Makes {@link #serve} return soon, even if it has not started yet. Idempotent. */
    public void stop() {
        over.complete(null);
    }

    void offerTools(ServerConnection connection, Elicitation elicitation) {
        McpServer.AsyncSpecification<?> specification = specification(connection, identity, toolbox.instructions());
        ServedLogs logs = new ServedLogs(toolbox, connection.workers());
        for (Tool tool : toolbox.tools()) {
            ServedTool served = new ServedTool(tool, toolbox, connection.workers(), elicitation, logs);
            specification.toolCall(served.description(), served::call);
        }
        // The connection keeps the reference through which messages reach the server.
        logs.connect(specification.build());
    }

    static McpServer.AsyncSpecification<?> specification(
            ServerConnection connection, McpSchema.Implementation identity, String instructions) {
        return McpServer.async(connection)
                .serverInfo(identity)
                .instructions(instructions)
                .capabilities(McpSchema.ServerCapabilities.builder()
                        .tools(false)
                        .resources(false, true)
                        .logging()
                        .build())
                .jsonMapper(WireJson.MAPPER)
                // The toolbox validates arguments itself, with the same messages for every model.
                .jsonSchemaValidator(WireJson.ANYTHING)
                .validateToolInputs(false);
    }
}
