package dev.paddock.executor;

import dev.paddock.executor.policy.PathMapping;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Forwards every call to another executor; a decorator overrides those that it changes.
 *
 * <p>{@link #run} is not forwarded: it runs the command by this executor's {@link #spawn}, so that
 * a decorator that changes {@code spawn} changes both. A decorator that weakens a guarantee must
 * remove it from {@link #guarantees}.
 *
 * @since 0.1
 */
public class ForwardingExecutor implements CommandExecutor {
    private final CommandExecutor delegate;

    /**
     * Creates a decorator.
     *
     * @param delegate the executor that receives the calls; disposed of with this one
     */
    protected ForwardingExecutor(CommandExecutor delegate) {
        this.delegate = delegate;
    }

    /**
     * Returns the executor that receives the calls.
     *
     * @return the executor
     */
    protected final CommandExecutor delegate() {
        return delegate;
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return delegate.spawn(command, options);
    }

    @Override
    public Optional<PathMapping> worktree() {
        return delegate.worktree();
    }

    @Override
    public void dispose() {
        delegate.dispose();
    }

    @Override
    public boolean isDisposed() {
        return delegate.isDisposed();
    }

    @Override
    public boolean copiesFiles() {
        return delegate.copiesFiles();
    }

    @Override
    public Optional<String> awaitedFiles() {
        return delegate.awaitedFiles();
    }

    @Override
    public boolean isKept(Path path) {
        return delegate.isKept(path);
    }

    @Override
    public Set<Guarantee> guarantees() {
        return delegate.guarantees();
    }

    @Override
    public Set<CommandShell> shells() {
        return delegate.shells();
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public Optional<String> fallback() {
        return delegate.fallback();
    }
}
