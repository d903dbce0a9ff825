package dev.paddock.cli.command;

import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.config.McpServer;
import dev.paddock.executor.config.ModelAlias;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.policy.PathMapping;
import java.util.List;

/**
 * The settings for {@code paddock agent} in the configuration files in addition to its sandbox.
 *
 * @param servers the MCP servers whose tools it offers
 * @param models the models that have names of the user's
 */
public record AgentConfig(List<McpServer> servers, List<ModelAlias> models) {

    public AgentConfig {
        servers = List.copyOf(servers);
        models = List.copyOf(models);
    }

    /**
     * Reads the files that apply to the worktree of a command line.
     *
     * @throws UsageException if a value of the command line is malformed
     * @throws dev.paddock.executor.config.SandboxConfigException if a file is not a valid configuration, or the
     *     worktree's has such a setting
     */
    public static AgentConfig read(Arguments arguments, InvocationContext caller) {
        SandboxConfig config = ExecutionOptions.config(arguments, caller);
        return of(config, ExecutionOptions.mapping(arguments, caller, config));
    }

    /**
     * Reads only the caller's own file, for sessions in a workspace.
     *
     * @throws dev.paddock.executor.config.SandboxConfigException if it is not a valid configuration
     */
    public static AgentConfig readOwn(Arguments arguments, InvocationContext caller) {
        return of(ConfigFiles.readOwn(arguments, caller), PathMapping.same(caller.directory()));
    }

    private static AgentConfig of(SandboxConfig config, PathMapping worktree) {
        return new AgentConfig(config.mcpServers(worktree), config.models(worktree));
    }
}
