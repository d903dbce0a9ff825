package dev.paddock.executor.remote.custom;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.os.io.Heartbeat;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.command.LinuxRun;
import dev.paddock.executor.remote.command.RemoteCommand;
import dev.paddock.executor.remote.command.RemoteProvider;
import dev.paddock.executor.remote.command.RemoteSystem;
import dev.paddock.executor.remote.command.SystemContext;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Supplies the remote system that the author's connections reach, reconnected after each loss. */
final class ConnectedProvider implements RemoteProvider {
    private final Settings settings;
    private volatile Optional<ConnectedSystem> connected = Optional.empty();

    /**
     * The options of an executor.
     *
     * @param backend the executor's name
     * @param what the remote system's name in messages
     * @param connect opens a connection
     * @param environment the commands' base environment
     */
    record Settings(
            String backend,
            String what,
            Supplier<? extends RemoteConnection> connect,
            Map<String, String> environment,
            Set<Guarantee> guarantees,
            Optional<PathMapping> shared,
            int warmSlots) {}

    /** Creates the source, without connecting it. */
    ConnectedProvider(Settings settings) {
        this.settings = settings;
    }

    @Override
    public RemoteSystem open(List<RemoteCommand> survivors, AbortSignal signal) {
        close();
        ConnectedSystem opened =
                new ConnectedSystem(backend(), settings.connect().get());
        Heartbeat.add(opened);
        try {
            String run = LinuxRun.of(opened, what());
            RemoteSystem remote = RemoteSystem.open(
                    opened,
                    new SystemContext(what(), run, List.of(), 0, OrphanPolicy.MARKED, OptionalLong.empty()),
                    this,
                    survivors);
            connected = Optional.of(opened);
            return remote;
        } catch (RuntimeException fault) {
            opened.close();
            throw fault;
        }
    }

    private void close() {
        connected.ifPresent(ConnectedSystem::close);
        connected = Optional.empty();
    }

    @Override
    public void dispose(List<RemoteCommand> survivors) {
        close();
    }

    @Override
    public Map<String, String> environment() {
        return settings.environment();
    }

    @Override
    public Set<Guarantee> guarantees() {
        return settings.guarantees();
    }

    @Override
    public int warmSlots() {
        return settings.warmSlots();
    }

    @Override
    public Optional<PathMapping> worktree() {
        return settings.shared();
    }

    @Override
    public String backend() {
        return settings.backend();
    }

    @Override
    public String what() {
        return settings.what();
    }

    @Override
    public String remedy() {
        return "end its processes there by hand";
    }

    @Override
    public String withoutTerminal() {
        return "commands in " + what() + " get no terminal; start the command without one";
    }

    @Override
    public ExecutorException left(String message, Throwable cause) {
        return new ExecutorException(message, cause);
    }
}
