package dev.paddock.harness;

import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;

/** A tool of a workspace; its first call opens the workspace. */
final class OpeningTool implements Tool {
    private final Tool before;
    private final WorkspaceSite site;

    /**
     * Creates a tool.
     *
     * @param before describes the tool until the workspace is open
     */
    OpeningTool(Tool before, WorkspaceSite site) {
        this.before = before;
        this.site = site;
    }

    @Override
    public String name() {
        return before.name();
    }

    @Override
    public String description() {
        return site.opened(name()).orElse(before).description();
    }

    @Override
    public Json inputSchema() {
        return before.inputSchema();
    }

    @Override
    public ExecutionSite executionSite() {
        return before.executionSite();
    }

    @Override
    public boolean isReadOnly() {
        return before.isReadOnly();
    }

    @Override
    public ToolResult execute(ToolCall call, ToolContext context) {
        return site.tool(name()).execute(call, context);
    }
}
