package dev.paddock.executor.config;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An MCP server whose tools {@code paddock agent} offers to its model: a value of {@code mcp}.
 *
 * @since 0.1
 */
public sealed interface McpServer {

    /** {@return the server's name in the names of its tools: 1 to 24 letters, digits and {@code -}} */
    String name();

    /**
     * A program, connected over its standard input and output.
     *
     * @param name its name
     * @param command the shell command that starts it
     * @param env variables for it, by name and value
     * @param pass variables of the caller for it, by name
     * @param inSandbox whether it runs where commands run, the default, and not on the host
     */
    record Program(String name, String command, Map<String, String> env, List<String> pass, boolean inSandbox)
            implements McpServer {
        public Program {
            env = Map.copyOf(env);
            pass = List.copyOf(pass);
        }
    }

    /**
     * A server that the host reaches by HTTP.
     *
     * @param name its name
     * @param url its address, http or https
     * @param token the caller's variable with its bearer token; empty for a server that needs none
     */
    record Remote(String name, URI url, Optional<String> token) implements McpServer {}
}
