package dev.paddock.harness.mcp;

import dev.paddock.executor.Guarantee;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.tool.Effect;
import dev.paddock.harness.tool.Tool;
import dev.paddock.harness.tool.ToolCall;
import dev.paddock.harness.tool.ToolResult;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A tool of the session, as the protocol describes and calls it. */
final class ServedTool {
    /** Counts the calls of all servers of this program, since a session's calls need ids of their own. */
    private static final AtomicLong CALLS = new AtomicLong();

    private final Tool tool;
    private final AgentSession session;
    private final Executor workers;

    ServedTool(Tool tool, AgentSession session, Executor workers) {
        this.tool = tool;
        this.session = session;
        this.workers = workers;
    }

    McpSchema.Tool description() {
        return McpSchema.Tool.builder(tool.name(), Json.map(tool.inputSchema()))
                .description(tool.description())
                .annotations(annotations())
                .build();
    }

    private McpSchema.ToolAnnotations annotations() {
        return McpSchema.ToolAnnotations.builder()
                .readOnlyHint(tool.readOnly())
                .destructiveHint(!tool.readOnly())
                .openWorldHint(isOpenWorld())
                .build();
    }

    /** Whether a call may reach more than the worktree and the sandbox around the commands. */
    private boolean isOpenWorld() {
        Effect effect = tool.effect();
        return switch (effect) {
            case WORKTREE -> false;
            case SANDBOX -> !session.guarantees().contains(Guarantee.NETWORK_OFF);
            case HOST, NETWORK -> true;
        };
    }

    /** Answers from a worker: a tool blocks, and the connection reads on meanwhile. */
    Mono<McpSchema.CallToolResult> call(McpAsyncServerExchange exchange, McpSchema.CallToolRequest request) {
        ServedCall call = ServedCall.of(exchange.transportContext());
        return Mono.create(sink -> {
            try {
                workers.execute(() -> answer(call, request, sink));
            } catch (RejectedExecutionException over) {
                sink.error(over);
            }
        });
    }

    private void answer(ServedCall call, McpSchema.CallToolRequest request, MonoSink<McpSchema.CallToolResult> sink) {
        try {
            ToolResult result = session.call(
                    new ToolCall("mcp-" + CALLS.incrementAndGet(), tool.name(), Json.object(request.arguments())),
                    call.signal(),
                    call.updates(request.progressToken()));
            sink.success(McpSchema.CallToolResult.builder()
                    .addTextContent(result.text())
                    .isError(result.isError())
                    .build());
        } catch (RuntimeException fault) {
            sink.error(fault);
        }
    }
}
