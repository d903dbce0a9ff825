package dev.paddock.harness.mcp.server;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.mcp.wire.WireJson;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolResult;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Describes one of a toolbox's tools in the protocol, and executes its calls. */
public final class ServedTool {
    private static final Logger LOG = LateLogger.of(ServedTool.class);

    /**
     * The name of a result's facts, for programs. They are no structured content: codex, Claude Code and
     * others show their models that in place of the text.
     */
    static final String FACTS = "dev.paddock/result";

    private final Tool tool;
    private final Toolbox toolbox;
    private final Executor workers;
    private final Elicitation elicitation;
    private final ServedLogs logs;
    private final List<String> facts = new ArrayList<>();

    public ServedTool(Tool tool, Toolbox toolbox, Executor workers, Elicitation elicitation, ServedLogs logs) {
        this.tool = tool;
        this.toolbox = toolbox;
        this.workers = workers;
        this.elicitation = elicitation;
        this.logs = logs;
        tool.outputSchema()
                .flatMap(schema -> schema.get("properties"))
                .ifPresent(properties -> facts.addAll(properties.members().keySet()));
    }

    public McpSchema.Tool description() {
        return McpSchema.Tool.builder(tool.name(), WireJson.map(tool.inputSchema()))
                .title(tool.title())
                .description(tool.description())
                .annotations(annotations())
                .build();
    }

    private McpSchema.ToolAnnotations annotations() {
        return McpSchema.ToolAnnotations.builder()
                .title(tool.title())
                .readOnlyHint(tool.isReadOnly())
                .destructiveHint(!tool.isReadOnly())
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
                    WireJson.object(request.arguments()).toString(),
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
        Map<String, Object> known = new LinkedHashMap<>(WireJson.map(result.details()));
        known.keySet().retainAll(facts);
        if (!known.isEmpty()) {
            ServedLogs.uri(result.details()
                            .text("log")
                            .filter(log -> known.containsKey("log"))
                            .orElse(""))
                    .ifPresent(uri -> known.put("logResource", uri));
            answer.meta(Map.of(FACTS, known));
        }
        return answer.build();
    }
}
