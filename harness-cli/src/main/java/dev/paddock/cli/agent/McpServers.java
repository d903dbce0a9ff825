package dev.paddock.cli.agent;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.config.McpServer;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.mcp.McpToolSource;
import java.util.ArrayList;
import java.util.List;

/** Adds the MCP servers of the configuration to a session, except unusable ones. */
final class McpServers {
    static final Option HOST_SERVER = Option.repeatable(
            "--host-server",
            "NAME",
            "starts the MCP server NAME, which has run: host, without a",
            "line editor that asks before its calls, too");

    private McpServers() {}

    /**
     * Returns the servers that may be started. Omits a program outside the sandbox, with a message, unless a person is
     * asked before its calls, the option names it, or the commands run on the host as well.
     *
     * @param isAsked whether the line editor can ask
     * @param isOnHost whether the model's commands run on the host, as the user has chosen
     * @throws UsageException if the option names no server of the configuration outside the sandbox
     */
    static List<McpServer> permitted(
            List<McpServer> servers, Arguments arguments, boolean isAsked, boolean isOnHost, Console console) {
        List<String> outside = servers.stream()
                .filter(McpServers::isOutsideSandbox)
                .map(McpServer::name)
                .toList();
        List<String> named = arguments.all(HOST_SERVER);
        for (String name : named) {
            if (!outside.contains(name)) {
                throw new UsageException(HOST_SERVER.name() + " " + name
                        + ": your configuration has no MCP server of that name with run: host; it has "
                        + (outside.isEmpty() ? "none" : String.join(", ", outside)));
            }
        }
        List<McpServer> permitted = new ArrayList<>();
        for (McpServer server : servers) {
            if (isAsked || isOnHost || named.contains(server.name()) || !isOutsideSandbox(server)) {
                permitted.add(server);
            } else {
                console.complain("the MCP server '" + server.name() + "' is left out: it would run on the host (run:"
                        + " host), and without the line editor nobody is asked before its calls; "
                        + HOST_SERVER.name() + " " + server.name()
                        + " starts it nevertheless, and without run: host it starts in the sandbox");
            }
        }
        return permitted;
    }

    private static boolean isOutsideSandbox(McpServer server) {
        return server instanceof McpServer.Program program && !program.inSandbox();
    }

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
