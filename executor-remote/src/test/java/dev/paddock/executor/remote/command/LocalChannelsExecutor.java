package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An executor whose commands run behind channels, as those of containers, pods and ssh do, in processes of
 * this machine: it adds nothing to {@link RemoteCommands}.
 */
final class LocalChannelsExecutor implements CommandExecutor {
    private final Source source = new Source();
    private final RemoteCommands commands = new RemoteCommands(source);
    private volatile boolean disposed;

    /** Loses the current connection. */
    void cut() {
        source.current.orElseThrow().cut();
    }

    @Override
    public String name() {
        return LocalSystem.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return commands.guarantees();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return commands.spawn(command, options);
    }

    @Override
    public void dispose() {
        disposed = true;
        commands.dispose();
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    /** Connects anew after each loss. */
    private static final class Source implements RemoteProvider {
        private volatile Optional<LocalSystem> current = Optional.empty();

        @Override
        public RemoteSystem open(List<RemoteCommand> survivors, AbortSignal signal) {
            close();
            LocalSystem opened = new LocalSystem();
            try {
                RemoteSystem remote = RemoteSystem.open(
                        opened,
                        new SystemContext(
                                what(),
                                LinuxRun.of(opened, what()),
                                List.of(),
                                0,
                                OrphanPolicy.MARKED,
                                OptionalLong.empty()),
                        this,
                        survivors);
                current = Optional.of(opened);
                return remote;
            } catch (RuntimeException fault) {
                opened.close();
                throw fault;
            }
        }

        private void close() {
            current.ifPresent(LocalSystem::close);
            current = Optional.empty();
        }

        @Override
        public void dispose(List<RemoteCommand> survivors) {
            close();
        }

        @Override
        public Map<String, String> environment() {
            return Map.of();
        }

        @Override
        public Set<Guarantee> guarantees() {
            return Set.of(Guarantee.TERMINAL);
        }

        @Override
        public int warmSlots() {
            return 2;
        }

        @Override
        public String backend() {
            return LocalSystem.NAME;
        }

        @Override
        public String what() {
            return "this machine";
        }

        @Override
        public String remedy() {
            return "end the test";
        }

        @Override
        public String withoutTerminal() {
            return "commands have a terminal";
        }

        @Override
        public ExecutorException left(String message, Throwable cause) {
            return new ExecutorException(message, cause);
        }
    }
}
