package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs an executor's commands on this machine through its spawner. Disposal closes the spawner first, which ends
 * commands and sandboxes, then the executor's other parts.
 */
public final class LocalCommands implements CommandExecutor {
    private final String name;
    private final Set<Guarantee> guarantees;
    private final Optional<PathMapping> worktree;
    private final Supplier<Map<String, String>> environment;
    private final SandboxedSpawner<?> spawner;
    private final ExecutorParts parts;

    /**
     * Creates an executor's commands.
     *
     * @param name the backend's name
     * @param guarantees the guarantees for every command
     * @param worktree the directory that commands share with the host; empty if there is none
     * @param environment returns the variables that a command request carries besides the command's own, which override
     *     them
     * @param spawner starts the commands; owned by this object
     * @param parts the executor's other parts; owned by this object
     */
    public LocalCommands(
            String name,
            Set<Guarantee> guarantees,
            Optional<PathMapping> worktree,
            Supplier<Map<String, String>> environment,
            SandboxedSpawner<?> spawner,
            ExecutorParts parts) {
        this.name = name;
        this.guarantees = Set.copyOf(guarantees);
        this.worktree = worktree;
        this.environment = environment;
        this.spawner = parts.keep(spawner);
        this.parts = parts;
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return spawner.spawn(command, options, environment.get());
    }

    @Override
    public Optional<PathMapping> worktree() {
        return worktree;
    }

    @Override
    public void dispose() {
        parts.close();
    }

    @Override
    public boolean isKept(Path path) {
        return spawner.isKept(path);
    }

    @Override
    public Set<Guarantee> guarantees() {
        return guarantees;
    }

    @Override
    public Set<CommandShell> shells() {
        return spawner.shells();
    }

    @Override
    public String name() {
        return name;
    }
}
