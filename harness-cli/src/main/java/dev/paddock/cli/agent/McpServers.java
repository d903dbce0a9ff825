package dev.paddock.cli.agent;

import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.config.McpServer;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.mcp.McpToolSource;
import java.util.List;

/** Adds the MCP servers of the configuration to a session. One that cannot be used is left out of it. */
final class McpServers {
    private McpServers() {}

    /**
     * Adds the servers.
     *
     * @throws UsageException if a variable that a server needs is not set, or cannot be used
     */
    static void add(List<McpServer> servers, AgentSessionBuilder session, InvocationContext caller) {
        for (McpServer server : servers) {
            try {
                session.toolSource(source(server, caller));
            } catch (IllegalArgumentException | ExecutorException refused) {
                throw new UsageException("the MCP server '" + server.name() + "': " + Console.text(refused));
            }
        }
    }

    private static McpToolSource source(McpServer server, InvocationContext caller) {
        return switch (server) {
            case McpServer.Program program -> {
                McpToolSource.Stdio source = McpToolSource.stdio(program.name(), program.command())
                        .inSandbox(program.inSandbox())
                        .required(false);
                program.env().forEach(source::env);
                program.pass().forEach(name -> source.env(name, variable(server, name, caller)));
                yield source.build();
            }
            case McpServer.Remote remote -> {
                McpToolSource.Http source =
                        McpToolSource.http(remote.name(), remote.url()).required(false);
                remote.token()
                        .ifPresent(name -> source.header("Authorization", "Bearer " + variable(server, name, caller)));
                yield source.build();
            }
        };
    }

    private static String variable(McpServer server, String name, InvocationContext caller) {
        return caller.variable(name)
                .orElseThrow(() -> new UsageException("the MCP server '" + server.name() + "' needs the variable "
                        + name + ", which is not set; set it, or take the server out of paddock.yaml"));
    }
}
