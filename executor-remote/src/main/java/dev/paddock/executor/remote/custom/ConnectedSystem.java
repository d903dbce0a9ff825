package dev.paddock.executor.remote.custom;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.Heartbeat;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.command.SystemConnection;
import dev.paddock.executor.remote.shell.ExecSerializer;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Adapts the author's connection to the commands of a remote system. */
final class ConnectedSystem implements SystemConnection, Heartbeat.Beating {
    private static final System.Logger LOG = LateLogger.of(ConnectedSystem.class);

    /**
     * Runs its arguments. A slot's parent may be a server with other slots among its children, and so counts as none of
     * the command's processes.
     */
    private static final List<String> PREAMBLE = List.of("sh", "-c", "export __p_alone=1; cd /; exec \"$@\"", "sh");

    private final String backend;
    private final RemoteConnection connection;
    private final CompletableFuture<String> loss;
    private final ExecSerializer execs = new ExecSerializer();

    ConnectedSystem(String backend, RemoteConnection connection) {
        this.backend = backend;
        this.connection = connection;
        this.loss = connection
                .onLoss()
                .handle((reason, fault) -> fault == null ? reason : String.valueOf(fault.getMessage()))
                .toCompletableFuture();
    }

    @Override
    public String backend() {
        return backend;
    }

    @Override
    public ShellChannel open(List<String> argv) {
        if (loss.isDone()) {
            throw new SandboxLostException(backend, loss.join());
        }
        List<String> words = new ArrayList<>(PREAMBLE);
        words.addAll(argv);
        return connection.open(words);
    }

    @Override
    public boolean closesHalf() {
        return connection.closesHalf();
    }

    @Override
    public ShellChannel openAtTerminal(List<String> argv) {
        throw new UnsupportedOperationException("an executor over channels gives no terminals");
    }

    @Override
    public Optional<SandboxLostException> lost() {
        return loss.isDone() ? Optional.of(new SandboxLostException(backend, loss.join())) : connection.lost();
    }

    @Override
    public ExecSerializer execs() {
        return execs;
    }

    @Override
    public Closeable watch(Consumer<String> onLoss) {
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> unused = loss.thenAcceptAsync(
                reason -> {
                    if (!ended.get()) {
                        onLoss.accept(reason);
                    }
                },
                task -> DaemonThreads.virtual("paddock-remote-loss").start(task));
        return () -> ended.set(true);
    }

    @Override
    public void beat() {
        try {
            connection.beat();
        } catch (RuntimeException fault) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be asked for an answer", fault);
        }
    }

    void close() {
        Heartbeat.remove(this);
        connection.close();
    }
}
