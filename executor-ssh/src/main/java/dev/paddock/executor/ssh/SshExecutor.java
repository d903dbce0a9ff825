package dev.paddock.executor.ssh;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.remote.builder.RemoteExecutorBuilder;
import dev.paddock.executor.remote.builder.RemoteOptions;
import dev.paddock.executor.remote.builder.SynchronizingBuilder;
import dev.paddock.executor.remote.command.RemoteCommands;
import dev.paddock.executor.remote.files.FetchLimits;
import dev.paddock.executor.remote.files.GitSettings;
import dev.paddock.executor.remote.files.SyncSettings;
import dev.paddock.executor.remote.files.SyncedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Runs commands on a host over the user's {@code ssh}, with the user's rights there: nothing
 * confines them, and no guarantee is claimed.
 *
 * <p>The connection follows the user's configuration of ssh, never asks a question, and accepts only
 * hosts whose keys are known. Commands share a few connections and need no login each. If the
 * connection ends, the host ends the commands.
 *
 * <p>The worktree is synchronized before and after each command (see {@link Builder#worktree}), or
 * already shared by both machines (see {@link Builder#sharedDirectory}). The host must run Linux.
 *
 * @since 0.1
 */
public final class SshExecutor implements CommandExecutor {
    static final String BACKEND = "ssh";

    private final SshSource source;
    private final RemoteCommands commands;
    private final Optional<SyncedFiles> files;
    private volatile boolean disposed;

    private SshExecutor(SshSource source, Optional<SyncedFiles> files) {
        this.source = source;
        this.files = files;
        this.commands = new RemoteCommands(source);
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param host as on ssh's command line: a name, an alias of the configuration, or USER@HOST
     * @return the builder
     */
    public static Builder builder(String host) {
        return new Builder(host);
    }

    @Override
    public String name() {
        return BACKEND;
    }

    @Override
    public boolean copiesFiles() {
        return files.isPresent();
    }

    @Override
    public Optional<String> awaitedFiles() {
        return files.flatMap(SyncedFiles::awaited);
    }

    @Override
    public boolean isKept(Path path) {
        return files.filter(synced -> synced.isKept(path)).isPresent();
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of();
    }

    @Override
    public Set<CommandShell> shells() {
        return RemoteCommands.SHELLS;
    }

    @Override
    public Optional<PathMapping> worktree() {
        return source.worktree();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        options.refuseTerminal(name());
        options.refusePublishing(
                name(),
                "its commands run on another machine; forward the port by 'ssh -N -L"
                        + " 127.0.0.1:PORT:127.0.0.1:PORT HOST'");
        return files.isPresent() ? files.get().spawn(commands, command, options) : commands.spawn(command, options);
    }

    @Override
    public void dispose() {
        disposed = true;
        try {
            commands.dispose();
        } finally {
            files.ifPresent(SyncedFiles::close);
        }
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    /**
     * Collects the options of an executor. Not thread-safe.
     *
     * <p>Defaults: the user's configuration of ssh; 10 seconds to connect; no worktree, or one that is
     * synchronized with a directory below {@code /tmp}, which disposal removes; the standard protected paths.
     */
    public static final class Builder extends RemoteExecutorBuilder<Builder> implements SynchronizingBuilder<Builder> {
        private final String host;
        private Optional<Path> configFile = Optional.empty();
        private Optional<Path> identity = Optional.empty();
        private OptionalInt port = OptionalInt.empty();
        private Duration connectTimeout = SshTarget.DEFAULT_TIMEOUT;
        private Optional<String> remoteDirectory = Optional.empty();
        private Optional<PathMapping> shared = Optional.empty();
        private ProtectedPaths protectedPaths = ProtectedPaths.standard();
        private FetchLimits limits = FetchLimits.STANDARD;
        private Consumer<Progress> progress = step -> {};

        private Builder(String host) {
            this.host = host;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Sets the file that replaces the user's {@code ~/.ssh/config}.
         *
         * @param value the file
         * @return this builder
         */
        public Builder configFile(Path value) {
            configFile = Optional.of(value);
            return this;
        }

        /**
         * Sets the private key; no other key is tried.
         *
         * @param value the key's file, without a passphrase or with its key in ssh-agent
         * @return this builder
         */
        public Builder identity(Path value) {
            identity = Optional.of(value);
            return this;
        }

        /**
         * Sets the port.
         *
         * @param value 1 to 65535
         * @return this builder
         */
        public Builder port(int value) {
            port = OptionalInt.of(value);
            return this;
        }

        /**
         * Sets how long a connection may take.
         *
         * @param value at least a second; ssh counts whole seconds
         * @return this builder
         */
        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        @Override
        public Builder remoteDirectory(String value) {
            remoteDirectory = Optional.of(SyncSettings.requireDirectory(value));
            return this;
        }

        /**
         * Declares a directory that both machines share, for example on a network file system. Nothing
         * is synchronized.
         *
         * @param value the host's path and the remote host's
         * @return this builder
         */
        public Builder sharedDirectory(PathMapping value) {
            shared = Optional.of(value);
            return this;
        }

        /**
         * Sets the worktree paths whose changes are never fetched.
         *
         * @param value the paths
         * @return this builder
         */
        public Builder protectedPaths(ProtectedPaths value) {
            protectedPaths = value;
            return this;
        }

        @Override
        public Builder maxFetch(long bytes) {
            limits = limits.withBytes(bytes);
            return this;
        }

        @Override
        public Builder fetchTimeout(Duration value) {
            limits = limits.withTime(value);
            return this;
        }

        /**
         * Sets the receiver of the progress of long transfers.
         *
         * @param listener called on the thread that spawns a command, or on one that fetches a command's files
         * @return this builder
         */
        public Builder onProgress(Consumer<Progress> listener) {
            progress = listener;
            return this;
        }

        /**
         * Builds the executor; it connects at the first command.
         *
         * @return the executor; the caller disposes of it
         * @throws IllegalArgumentException if options exclude each other, or a value is out of range
         * @throws dev.paddock.executor.SandboxUnavailableException if this machine has no ssh program
         */
        public SshExecutor build() {
            RemoteOptions options = options();
            if (shared.isPresent() && (options.worktree().isPresent() || remoteDirectory.isPresent())) {
                throw new IllegalArgumentException("a directory is either shared or synchronized, not both");
            }
            if (remoteDirectory.isPresent() && options.worktree().isEmpty()) {
                throw new IllegalArgumentException(
                        "remoteDirectory names where a worktree is copied to: give worktree");
            }
            Optional<Path> worktree = options.worktree().map(Builder::real);
            identity.ifPresent(SshTarget::requireIdentity);
            SshTarget target = new SshTarget(host, configFile, identity, port, connectTimeout);
            SshProcesses processes = SshProcesses.create(target);
            try {
                return build(processes, PrivateState.create(BACKEND), options, worktree);
            } catch (IOException fault) {
                processes.close();
                throw new ExecutorException(
                        "Paddock has no directory for its own files: " + FileFaults.reason(fault), fault);
            } catch (RuntimeException fault) {
                processes.close();
                throw fault;
            }
        }

        private static Path real(Path worktree) {
            try {
                return worktree.toRealPath();
            } catch (IOException fault) {
                throw new ExecutorException(
                        "the worktree '" + PathBytes.escaped(worktree) + "' cannot be used: "
                                + FileFaults.reason(fault),
                        fault);
            }
        }

        private SshExecutor build(
                SshProcesses processes, PrivateState state, RemoteOptions options, Optional<Path> worktree)
                throws IOException {
            try {
                Optional<SshSource.OwnDirectory> own = Optional.empty();
                Optional<SyncedFiles> files = Optional.empty();
                Optional<PathMapping> mapping = shared;
                Map<String, String> variables = new TreeMap<>(options.environment());
                if (worktree.isPresent()) {
                    RemoteDirectory made = RemoteDirectory.choose(processes.target());
                    String there = remoteDirectory.orElse(made.path() + "/work");
                    PathMapping synced = new PathMapping(worktree.get(), there);
                    mapping = Optional.of(synced);
                    files = Optional.of(open(made, synced, state, options.quarantine()));
                    own = Optional.of(new SshSource.OwnDirectory(made, files.get()));
                    variables.putAll(GitSettings.variables(options.environment()));
                }
                SshSource source = new SshSource(processes, state, variables, options.warmSlots(), mapping, own);
                return new SshExecutor(source, files);
            } catch (IOException | RuntimeException fault) {
                state.close();
                throw fault;
            }
        }

        private SyncedFiles open(RemoteDirectory made, PathMapping synced, PrivateState state, Path quarantine) {
            try {
                return SyncedFiles.over(
                        new SyncSettings(synced, made.path() + "/state", protectedPaths, quarantine, progress, limits),
                        state);
            } catch (RuntimeException fault) {
                made.forget();
                throw fault;
            }
        }
    }
}
