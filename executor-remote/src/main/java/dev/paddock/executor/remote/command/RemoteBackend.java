package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.remote.shell.RequestLine;
import dev.paddock.executor.sandbox.spawn.SandboxBackend;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Starts slots for the spawner in one remote system, which is opened at the first command and again after each loss.
 * The plan of a command is the connected system: warm slots of an earlier one serve no command.
 */
final class RemoteBackend implements SandboxBackend<RemoteSystem> {
    private final RemoteProvider source;
    private final ReentrantLock lock = new ReentrantLock();
    private final AbortController closing = new AbortController();
    private Optional<RemoteSystem> remote = Optional.empty();

    /**
     * Creates a backend; the first command opens the remote system.
     *
     * @param source supplies the remote system; disposed of with this backend
     */
    public RemoteBackend(RemoteProvider source) {
        this.source = source;
    }

    @Override
    public RemoteSystem plan() {
        return plan(AbortSignal.never());
    }

    /**
     * Returns the connected system, and opens it if necessary. Kills and settles the commands of a lost system before
     * it returns another one.
     */
    @Override
    public RemoteSystem plan(AbortSignal signal) {
        lock.lock();
        try {
            if (closing.signal().isAborted()) {
                throw new ExecutorDisposedException(source.backend());
            }
            if (remote.filter(system -> !system.isLost()).isEmpty()) {
                remote = Optional.of(source.open(survivors(), AbortSignal.any(signal, closing.signal())));
            }
            return remote.get();
        } finally {
            lock.unlock();
        }
    }

    private List<RemoteCommand> survivors() {
        return remote.map(RemoteSystem::commands).orElse(List.of());
    }

    @Override
    public Optional<WorktreeGuard.Command> announce(RemoteSystem system) {
        return source.announce();
    }

    @Override
    public boolean isKept(Path path) {
        return source.isKept(path);
    }

    @Override
    public Supplier<List<String>> observe() {
        return source.observe();
    }

    /** Returns true for every variable that a slot can pass on, and throws for any other. */
    @Override
    public boolean passesExactly(String name) {
        RequestLine.requireVariable(name);
        return true;
    }

    @Override
    public StartingSandbox prepare(RemoteSystem system, Map<String, String> environment) {
        return system.startSlot();
    }

    @Override
    public void requirePublishing(String name, SpawnOptions options) {
        source.requirePublishing(options);
    }

    @Override
    public Publication publish(RemoteSystem system, List<PublishedPort> ports) {
        return source.publish(system, ports);
    }

    @Override
    public boolean hasTerminal() {
        return true;
    }

    @Override
    public StartingSandbox startWithTerminal(RemoteSystem system, Map<String, String> environment, TerminalSize size) {
        return system.startTerminal();
    }

    /** A shell cannot fork while the kernel still counts the killed processes of the previous command. */
    @Override
    public boolean maySucceedSoon(IOException fault) {
        return !(fault instanceof RemoteSystem.SilentSlot);
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return fault instanceof RemoteSystem.SilentSlot silent
                ? silent.lose()
                : new SandboxLostException(
                        source.backend(),
                        "a shell in " + source.briefly() + " failed: " + FileFaults.reason(fault)
                                + "; if it may start no more processes, end background commands or raise the limit",
                        fault);
    }

    /** Returns the remote system's id; waits for one that is being created. */
    public Optional<String> systemId() {
        return current().map(RemoteSystem::id);
    }

    private Optional<RemoteSystem> current() {
        lock.lock();
        try {
            return remote;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the commands, SIGTERM first, and removes what the executor created. */
    @Override
    public void close() {
        closing.abort("the executor is disposed of");
        Optional<RemoteSystem> last = current();
        last.ifPresent(RemoteSystem::endAll);
        last.ifPresent(RemoteSystem::close);
        source.dispose(survivors());
    }
}
