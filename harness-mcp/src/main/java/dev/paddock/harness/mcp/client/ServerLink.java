package dev.paddock.harness.mcp.client;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.log.LateLogger;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A connection to a server.
 *
 * @param transport carries the messages
 * @param lost completes, with the reason, when the server will send nothing more
 * @param end ends all that was started for the server, within seconds
 */
public record ServerLink(CancellableTransport transport, CompletableFuture<String> lost, Runnable end)
        implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(ServerLink.class);
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    public static ServerLink of(McpClientTransport transport) {
        return new ServerLink(new CancellableTransport(transport), new CompletableFuture<>(), () -> {
            try {
                transport.closeGracefully().block(FAREWELL);
            } catch (RuntimeException silent) {
                LOG.log(Level.DEBUG, "A server did not close in time", silent);
            }
        });
    }

    /**
     * Returns the link to a server that is a program.
     *
     * @param afterwards runs when the process has been terminated
     */
    public static ServerLink of(String name, ProcessLike process, Runnable afterwards) {
        CompletableFuture<String> lost = new CompletableFuture<>();
        ProcessTransport transport = new ProcessTransport(name, process, lost::complete);
        return new ServerLink(new CancellableTransport(transport), lost, () -> {
            try {
                transport.end();
            } finally {
                afterwards.run();
            }
        });
    }

    @Override
    public void close() {
        lost.complete("it was closed with the session");
        end.run();
    }
}
