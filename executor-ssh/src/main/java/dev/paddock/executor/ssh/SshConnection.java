package dev.paddock.executor.ssh;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.command.SystemConnection;
import dev.paddock.executor.remote.shell.ExecSerializer;
import java.io.Closeable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The connections to a host, as many as the server's session limit requires, opened one after
 * another, since a server drops connections that log in at once.
 */
final class SshConnection implements SystemConnection, Closeable {
    private static final String TOKEN = "paddock-begins";

    private static final byte[] TOKEN_LINE = (TOKEN + "\n").getBytes(StandardCharsets.US_ASCII);

    /**
     * Runs its arguments. Variables of the connection differ between connections. The slot's
     * parent is a server process that is also the parent of other slots.
     */
    private static final String PREAMBLE = "unset SSH_CLIENT SSH_CONNECTION SSH_TTY; export __p_alone=1; cd /; echo "
            + TOKEN + "; echo " + TOKEN + " >&2; exec \"$@\"";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final SshProcesses processes;
    private final Path sockets;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<SshMaster> masters = new ArrayList<>();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final ExecSerializer execs = new ExecSerializer();
    private boolean closed;
    private volatile Optional<String> end = Optional.empty();

    /**
     * Creates a connection, which connects at the first process.
     *
     * @param sockets a directory of the executor with a short path
     */
    SshConnection(SshProcesses processes, Path sockets) {
        this.processes = processes;
        this.sockets = sockets;
    }

    @Override
    public String backend() {
        return SshExecutor.BACKEND;
    }

    @Override
    public ShellChannel open(List<String> argv) {
        SshMaster master = master();
        List<String> words = new ArrayList<>(List.of("exec", "sh", "-c", PREAMBLE, "sh"));
        words.addAll(argv);
        try {
            return new SshChannel(
                    processes.start(master.options(), ShellQuoting.posix(words)), TOKEN_LINE, master::leave);
        } catch (RuntimeException fault) {
            master.leave();
            throw fault;
        }
    }

    private SshMaster master() {
        lock.lock();
        try {
            if (closed || end.isPresent()) {
                throw loss(end.orElse("it has been closed"));
            }
            for (SshMaster master : masters) {
                if (master.enter()) {
                    return master;
                }
            }
            Path socket = sockets.resolve("m" + NUMBER.incrementAndGet());
            SshMaster master = SshMaster.connect(processes, socket, this::ended);
            masters.add(master);
            if (!master.enter()) {
                throw loss("the connection has ended");
            }
            return master;
        } finally {
            lock.unlock();
        }
    }

    private void ended(String reason) {
        end = Optional.of(reason);
        listeners.forEach(listener -> listener.accept(describe(reason)));
    }

    private String describe(String reason) {
        return "the connection to '" + processes.target().host() + "' has ended: " + reason;
    }

    private SandboxLostException loss(String reason) {
        return new SandboxLostException(SshExecutor.BACKEND, describe(reason));
    }

    @Override
    public ShellChannel openAtTerminal(List<String> argv) {
        throw new UnsupportedOperationException("no terminals over ssh");
    }

    @Override
    public Optional<SandboxLostException> lost() {
        return end.map(this::loss);
    }

    @Override
    public ExecSerializer execs() {
        return execs;
    }

    @Override
    public Closeable watch(Consumer<String> onLoss) {
        listeners.add(onLoss);
        end.ifPresent(reason -> onLoss.accept(describe(reason)));
        return () -> listeners.remove(onLoss);
    }

    @Override
    public void close() {
        listeners.clear();
        lock.lock();
        try {
            closed = true;
            masters.forEach(SshMaster::close);
        } finally {
            lock.unlock();
        }
    }
}
