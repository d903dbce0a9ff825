package dev.paddock.executor.ssh;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.command.LinuxRun;
import dev.paddock.executor.remote.command.RemoteCommand;
import dev.paddock.executor.remote.command.RemoteProvider;
import dev.paddock.executor.remote.command.RemoteSystem;
import dev.paddock.executor.remote.command.SystemContext;
import dev.paddock.executor.remote.files.SyncedFiles;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Supplies a host reached over ssh; reconnects after each loss. */
final class SshSource implements RemoteProvider {
    private static final System.Logger LOG = LateLogger.of(SshSource.class);

    /** How long disposal, which may take 10 seconds, waits for the last changes. */
    private static final Duration FETCH_BOUND = Duration.ofSeconds(4);

    private final SshProcesses processes;
    private final PrivateState state;
    private final Map<String, String> environment;
    private final int warmSlots;
    private final Optional<PathMapping> worktree;

    private final Optional<OwnDirectory> own;
    private volatile Optional<SshConnection> connection = Optional.empty();

    /** Whether a connection was ever usable; only then can the directory exist. */
    private volatile boolean served;

    /**
     * The directory on the host that disposal removes.
     *
     * @param directory on the host
     * @param files fetched before it is removed; it stays if that fails
     */
    record OwnDirectory(RemoteDirectory directory, SyncedFiles files) {}

    /**
     * Creates the source; nothing is connected yet.
     *
     * @param worktree the host's worktree and its directory on the remote host
     */
    SshSource(
            SshProcesses processes,
            PrivateState state,
            Map<String, String> environment,
            int warmSlots,
            Optional<PathMapping> worktree,
            Optional<OwnDirectory> own) {
        this.processes = processes;
        this.state = state;
        this.environment = Map.copyOf(environment);
        this.warmSlots = warmSlots;
        this.worktree = worktree;
        this.own = own;
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of();
    }

    @Override
    public int warmSlots() {
        return warmSlots;
    }

    @Override
    public RemoteSystem open(List<RemoteCommand> survivors, AbortSignal signal) {
        connection.ifPresent(SshConnection::close);
        connection = Optional.empty();
        SshConnection opened = new SshConnection(processes, state.directory());
        try {
            String run = LinuxRun.of(opened, what());
            RemoteSystem remote = RemoteSystem.open(
                    opened,
                    new SystemContext(host(), run, List.of(), 0, OrphanPolicy.MARKED, OptionalLong.empty()),
                    this,
                    survivors);
            connection = Optional.of(opened);
            served = true;
            DaemonThreads.virtual("paddock-ssh-sweep")
                    .start(() -> RemoteDirectory.removeLeft(processes.target(), opened));
            return remote;
        } catch (RuntimeException fault) {
            opened.close();
            throw fault;
        }
    }

    String host() {
        return processes.target().host();
    }

    @Override
    public Optional<PathMapping> worktree() {
        return worktree;
    }

    @Override
    public String backend() {
        return SshExecutor.BACKEND;
    }

    @Override
    public String remedy() {
        return "end its processes on the host by hand";
    }

    @Override
    public String withoutTerminal() {
        return "commands on " + what() + " get no terminal; start the command without one";
    }

    @Override
    public ExecutorException left(String message, Throwable cause) {
        return new ExecutorException(message, cause);
    }

    @Override
    public String what() {
        return "the host '" + host() + "'";
    }

    @Override
    public void dispose(List<RemoteCommand> survivors) {
        try {
            own.ifPresent(this::dispose);
        } finally {
            connection.ifPresent(SshConnection::close);
            processes.close();
            state.close();
        }
    }

    private void dispose(OwnDirectory own) {
        Optional<SshConnection> usable = connection.filter(open -> open.lost().isEmpty());
        if (!served) {
            own.directory().forget();
        } else if (!own.files().fetchLast(usable.isPresent() ? FETCH_BOUND : Duration.ZERO) || usable.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the directory ''{0}'' is left on {1}, until a later executor or ''paddock gc'' removes it",
                    own.directory().path(),
                    what());
        } else {
            try {
                boolean unused = own.directory().remove(usable.get());
            } catch (ExecutorException fault) {
                LOG.log(System.Logger.Level.WARNING, "could not remove the directory on " + what(), fault);
            }
        }
    }
}
