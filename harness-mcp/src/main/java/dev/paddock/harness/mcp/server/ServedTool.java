package dev.paddock.harness.mcp.server;

import dev.paddock.executor.Guarantee;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.mcp.wire.Json;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolResult;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Describes one of a toolbox's tools in the protocol, and executes its calls. */
public final class ServedTool {
    private static final Logger LOG = LoggerFactory.getLogger(ServedTool.class);

    private final Tool tool;
    private final Toolbox toolbox;
    private final Executor workers;
    private final Elicitation elicitation;

    public ServedTool(Tool tool, Toolbox toolbox, Executor workers, Elicitation elicitation) {
        this.tool = tool;
        this.toolbox = toolbox;
        this.workers = workers;
        this.elicitation = elicitation;
    }

    public McpSchema.Tool description() {
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

    /** Returns whether a call may reach more than the worktree and the commands' sandbox. */
    private boolean isOpenWorld() {
        ExecutionSite site = tool.executionSite();
        return switch (site) {
            case WORKTREE -> false;
            case SANDBOX -> !toolbox.guarantees().contains(Guarantee.NETWORK_OFF);
            case HOST, NETWORK -> true;
        };
    }

    /** Executes the call on a worker: a tool blocks, and the connection must keep reading. */
    public Mono<McpSchema.CallToolResult> call(McpAsyncServerExchange exchange, McpSchema.CallToolRequest request) {
        elicitation.connect(exchange);
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
        ToolResult result;
        try {
            result = toolbox.call(
                    tool.name(),
                    Json.object(request.arguments()).toString(),
                    call.signal(),
                    call.updates(request.progressToken()));
        } catch (RuntimeException | Error fault) {
            // The session converts the usual exceptions of tools; without an answer to any other
            // the client would wait forever.
            LOG.warn("The call of the tool {} failed", tool.name(), fault);
            result = ToolResult.failed(tool.name(), fault);
        }
        sink.success(McpSchema.CallToolResult.builder()
                .addTextContent(result.text())
                .isError(result.isError())
                .build());
    }
}
