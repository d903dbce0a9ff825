package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

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

    /** Loses the current connection once, before the slot of the next command is taken or started. */
    void cutBeforeNextSlot() {
        source.beforeSlot.set(source::loseCurrent);
    }

    /** Loses the current connection once, when the slot of the next command waits for its request. */
    void cutBeforeNextRequest() {
        source.beforeRequest.set(source::loseCurrent);
    }

    RemoteCommands commands() {
        return commands;
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
        private final AtomicReference<Runnable> beforeSlot = new AtomicReference<>(Source::nothing);
        private final AtomicReference<Runnable> beforeRequest = new AtomicReference<>(Source::nothing);
        private volatile Optional<LocalSystem> current = Optional.empty();
        private volatile Optional<RemoteSystem> connected = Optional.empty();

        private static void nothing() {}

        private void loseCurrent() {
            RemoteSystem losing = connected.orElseThrow();
            CompletableFuture<Void> lost = new CompletableFuture<>();
            losing.lossSignal().onAbort(() -> lost.complete(null));
            current.orElseThrow().cut();
            lost.join();
        }

        @Override
        public Optional<WorktreeGuard.Command> announce() {
            beforeSlot.getAndSet(Source::nothing).run();
            return RemoteProvider.super.announce();
        }

        @Override
        public Supplier<List<String>> observe() {
            beforeRequest.getAndSet(Source::nothing).run();
            return RemoteProvider.super.observe();
        }

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
                connected = Optional.of(remote);
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
