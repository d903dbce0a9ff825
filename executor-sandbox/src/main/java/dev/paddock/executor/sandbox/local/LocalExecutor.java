package dev.paddock.executor.sandbox.local;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * An executor that starts commands on this machine. Only Paddock's own executors extend it.
 *
 * @since 0.1
 */
public abstract class LocalExecutor implements CommandExecutor {
    private final CommandExecutor commands;
    private volatile boolean disposed;

    /**
     * Creates an executor.
     *
     * @param commands runs the commands; owned by this executor
     */
    protected LocalExecutor(CommandExecutor commands) {
        this.commands = commands;
    }

    @Override
    public final ProcessLike spawn(String command, SpawnOptions options) {
        return commands.spawn(command, options);
    }

    @Override
    public final Optional<PathMapping> worktree() {
        return commands.worktree();
    }

    /** Disposes of the executor once; a second call waits for the first. */
    @Override
    public final void dispose() {
        disposed = true;
        commands.dispose();
    }

    @Override
    public final boolean isDisposed() {
        return disposed;
    }

    @Override
    public final boolean isKept(Path path) {
        return commands.isKept(path);
    }

    @Override
    public final Set<Guarantee> guarantees() {
        return commands.guarantees();
    }

    @Override
    public final Set<CommandShell> shells() {
        return commands.shells();
    }

    @Override
    public final String name() {
        return commands.name();
    }
}
