package dev.paddock.harness.mcp;

import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.ToolSource;
import java.util.List;
import java.util.function.Function;

/** A tool that runs a test's function. */
record OwnTool(Function<ToolContext, ToolResult> work) implements Tool, ToolSource, ToolSource.Opened {
    @Override
    public String name() {
        return "own";
    }

    @Override
    public String description() {
        return "";
    }

    @Override
    public Json inputSchema() {
        return Json.object().with("type", "object");
    }

    @Override
    public ExecutionSite executionSite() {
        return ExecutionSite.WORKTREE;
    }

    @Override
    public ToolResult execute(ToolCall call, ToolContext context) {
        return work.apply(context);
    }

    @Override
    public Opened open(Place place) {
        return this;
    }

    @Override
    public List<Tool> tools() {
        return List.of(this);
    }

    @Override
    public void close() {}
}
