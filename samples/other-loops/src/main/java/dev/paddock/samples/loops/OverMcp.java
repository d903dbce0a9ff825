package dev.paddock.samples.loops;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.mcp.McpToolServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** Gives the tools to an agent that speaks MCP, and starts this program for them. */
public final class OverMcp {

    private OverMcp() {}

    static void serve(Path worktree, CommandExecutor executor, InputStream in, OutputStream out) {
        try (Toolbox toolbox =
                Toolbox.builder().cwd(worktree).executor(executor).build()) {
            McpToolServer.of(toolbox, "my-tools", "1.0").serve(in, out);
        }
    }
}
