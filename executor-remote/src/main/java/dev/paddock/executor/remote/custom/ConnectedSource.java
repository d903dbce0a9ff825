package dev.paddock.executor.remote.custom;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.process.io.Heartbeat;
import dev.paddock.executor.remote.command.LinuxRun;
import dev.paddock.executor.remote.command.PlaceContext;
import dev.paddock.executor.remote.command.PlaceSource;
import dev.paddock.executor.remote.command.RemoteCommand;
import dev.paddock.executor.remote.command.RemotePlace;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Supplies the place that the author's connections reach, reconnected after each loss. */
final class ConnectedSource implements PlaceSource {
    private final Settings settings;
    private volatile Optional<ConnectedPlace> connected = Optional.empty();

    /**
     * The options of an executor.
     *
     * @param backend the executor's name
     * @param what the place's name in messages
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

    /** Creates the source; nothing is connected yet. */
    ConnectedSource(Settings settings) {
        this.settings = settings;
    }

    @Override
    public RemotePlace open(List<RemoteCommand> survivors, AbortSignal signal) {
        close();
        ConnectedPlace opened = new ConnectedPlace(backend(), settings.connect().get());
        Heartbeat.add(opened);
        try {
            String run = LinuxRun.of(opened, what());
            RemotePlace place = RemotePlace.open(
                    opened,
                    new PlaceContext(what(), run, List.of(), 0, OrphanPolicy.MARKED, OptionalLong.empty()),
                    this,
                    survivors);
            connected = Optional.of(opened);
            return place;
        } catch (RuntimeException fault) {
            opened.close();
            throw fault;
        }
    }

    private void close() {
        connected.ifPresent(ConnectedPlace::close);
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
