package dev.paddock.harness.mcp.client;

import dev.paddock.harness.mcp.wire.WireJson;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Excerpt;
import io.modelcontextprotocol.spec.McpSchema;

/** A tool of a server. Its description and annotations are the server's, and not trusted. */
final class RemoteTool implements Tool {
    private static final int MAX_DESCRIPTION_LENGTH = 8_192;

    private final String name;
    private final String ownName;
    private final String description;
    private final Json schema;
    private final ExecutionSite site;
    private final RemoteCalls calls;

    /**
     * @param name the name by which the session's model calls it
     */
    RemoteTool(String name, McpSchema.Tool tool, ExecutionSite site, RemoteCalls calls) {
        this.name = name;
        this.ownName = tool.name();
        this.description = Excerpt.cut(tool.description() == null ? "" : tool.description(), MAX_DESCRIPTION_LENGTH);
        this.schema = WireJson.object(tool.inputSchema());
        this.site = site;
        this.calls = calls;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Json inputSchema() {
        return schema;
    }

    @Override
    public ExecutionSite executionSite() {
        return site;
    }

    @Override
    public ToolResult execute(ToolCall call, ToolContext context) {
        return calls.call(ownName, WireJson.map(call.arguments()), context);
    }
}
