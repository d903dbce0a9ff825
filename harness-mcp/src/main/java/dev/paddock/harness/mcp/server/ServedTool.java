package dev.paddock.harness.mcp.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.mcp.wire.Json;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolResult;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Describes one of a toolbox's tools in the protocol, and executes its calls. */
public final class ServedTool {
    private static final Logger LOG = LateLogger.of(ServedTool.class);

    /** The name of the whole text in structured content: clients show that instead of the text. */
    private static final String TEXT = "text";

    private final Tool tool;
    private final Toolbox toolbox;
    private final Executor workers;
    private final Elicitation elicitation;
    private final ServedLogs logs;
    private final Optional<ObjectNode> outputSchema;

    public ServedTool(Tool tool, Toolbox toolbox, Executor workers, Elicitation elicitation, ServedLogs logs) {
        this.tool = tool;
        this.toolbox = toolbox;
        this.workers = workers;
        this.elicitation = elicitation;
        this.logs = logs;
        this.outputSchema = tool.outputSchema().map(ServedTool::withText);
    }

    public McpSchema.Tool description() {
        McpSchema.Tool.Builder description = McpSchema.Tool.builder(tool.name(), Json.map(tool.inputSchema()))
                .title(tool.title())
                .description(tool.description())
                .annotations(annotations());
        outputSchema.ifPresent(schema -> description.outputSchema(Json.map(schema)));
        return description.build();
    }

    /** Returns the tool's schema with the text, which clients leave out beside structured content. */
    private static ObjectNode withText(ObjectNode schema) {
        ObjectNode whole = schema.deepCopy();
        whole.withObject("/properties")
                .putObject(TEXT)
                .put("type", "string")
                .put("description", "The result for the model; of a command, its output and notices.");
        whole.withArray("/required").removeAll().add(TEXT);
        return whole;
    }

    private McpSchema.ToolAnnotations annotations() {
        return McpSchema.ToolAnnotations.builder()
                .title(tool.title())
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
            LOG.log(Level.WARNING, "The call of the tool " + tool.name() + " failed", fault);
            result = ToolResult.failed(tool.name(), fault);
        }
        logs.publish();
        sink.success(answer(result));
    }

    private McpSchema.CallToolResult answer(ToolResult result) {
        McpSchema.CallToolResult.Builder answer =
                McpSchema.CallToolResult.builder().addTextContent(result.text()).isError(result.isError());
        result.images()
                .forEach(image -> answer.addContent(McpSchema.ImageContent.builder(image.base64(), image.mediaType())
                        .build()));
        outputSchema.ifPresent(schema -> answer.structuredContent(structured(result, schema)));
        return answer.build();
    }

    /** Returns the text, and the details that the schema describes. */
    private static Map<String, Object> structured(ToolResult result, ObjectNode schema) {
        ObjectNode content = result.details().deepCopy().put(TEXT, result.text());
        List<String> described = new ArrayList<>();
        schema.path("properties").fieldNames().forEachRemaining(described::add);
        return Json.map(content.retain(described));
    }
}
