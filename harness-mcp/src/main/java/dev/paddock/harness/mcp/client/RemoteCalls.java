package dev.paddock.harness.mcp.client;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls a server's tools; a wait for an answer ends with an abort, the call timeout or the loss of
 * the server.
 */
final class RemoteCalls {
    private final String server;
    private final ServerLink link;
    private final McpAsyncClient client;
    private final ProgressBoard progress;
    private final Duration longest;

    RemoteCalls(String server, ServerLink link, McpAsyncClient client, ProgressBoard progress, Duration longest) {
        this.server = server;
        this.link = link;
        this.client = client;
        this.progress = progress;
        this.longest = longest;
    }

    ToolResult call(String tool, Map<String, Object> arguments, ToolContext context) {
        if (link.lost().isDone()) {
            return lost("was not called");
        }
        CancellableTransport.Ticket ticket = new CancellableTransport.Ticket();
        CompletableFuture<Void> unwanted = new CompletableFuture<>();
        String token = progress.begin(context::update);
        McpSchema.CallToolRequest request = McpSchema.CallToolRequest.builder(tool)
                .arguments(arguments)
                .progressToken(token)
                .build();
        CompletableFuture<McpSchema.CallToolResult> answer =
                client.callTool(request).contextWrite(ticket::with).toFuture();
        AbortSignal.Registration registration = context.signal().onAbort(() -> unwanted.complete(null));
        try {
            CompletableFuture.anyOf(answer, unwanted, link.lost()).get(longest.toNanos(), TimeUnit.NANOSECONDS);
            if (answer.isDone()) {
                return Answer.of(answer.get());
            }
            return unwanted.isDone()
                    ? ToolResult.error("The call was aborted, and the MCP server " + server + " was notified.")
                    : lost("has not answered");
        } catch (ExecutionException failed) {
            return ToolResult.error("The MCP server " + server + " could not be called: " + FaultMessages.text(failed));
        } catch (TimeoutException late) {
            return ToolResult.error("The MCP server " + server + " has not answered within "
                    + longest.toMillis() / 1000.0 + " s. The call was cancelled; what it has done is not known.");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ToolException("The wait for the call was interrupted.", interrupted);
        } finally {
            registration.close();
            progress.end(token);
            link.transport().cancel(ticket, "the answer is not wanted any more");
            answer.cancel(true);
        }
    }

    private ToolResult lost(String what) {
        return ToolResult.error("The MCP server " + server + " " + what + ": "
                + link.lost().join() + ". Its tools cannot be used in this session any more.");
    }
}
